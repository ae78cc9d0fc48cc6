"""The bundled crosswords: small ones of this project's own."""

LEVELS = {
    "3x3": """\
{
 "horizontal_answers": [["PAL", "BIT", "PIT"], ["ICE", "ARE"], ["NET", "TEN"]],
 "vertical_answers": [["PAN", "BIT"], ["ICE", "ARE"], ["LET", "TEN", "TEE"]],
 "grid": ["...", "...", "..."]
}
""",
    "4x4": """\
{
 "horizontal_answers": [["PUN", "ORB", "CUB"], ["PLUS", "KEEP", "ONES"], ["BIAS", "BOOT", "DIET"], ["TRY", "PAY"]],
 "vertical_answers": [["COD", "CAR", "NOT"], ["TRIO", "UNIT", "HEIR"], ["DUEL", "BARK", "BEER"], ["SAY", "STY"]],
 "clues_across": ["A young bear", "Not many, but some", "What one eats", "Have a go"],
 "clues_down": ["A fish", "A part of a whole", "It is brewed", "Where pigs live"],
 "grid": ["...#", "....", "....", "#..."]
}
""",
    "given": """\
{
 "horizontal_answers": [["BUD", "DUG"], ["VASE", "LURE", "RUST"], ["ITCH", "TREE", "ITEM"], ["EAR", "EGO"]],
 "vertical_answers": [["DATA", "FAIL", "HARP"], ["MEET", "USER", "EVEN"], ["GIN", "GEM", "MEN"], ["LIE", "VIE"]],
 "grid": ["#.U.", "....", "....", "...#"]
}
""",
    "5x5": """\
{
 "horizontal_answers": [
  ["SHUT", "DRAG", "STAR"],
  ["STAGE", "PEACH", "AWAKE"],
  ["TOKEN", "ASSET", "INNER"],
  ["EVENT", "SWIFT", "SHELL"],
  ["WENT", "SEMI", "BETS"]
 ],
 "vertical_answers": [
  ["STOVE", "SHEER", "SKIRT"],
  ["STERN", "TAKEN", "STEEL"],
  ["AGENT", "AGREE", "BOOST"],
  ["MAST", "TUNE", "RENT"],
  ["STEW", "KNEW", "DUEL"]
 ],
 "grid": ["#....", ".....", ".....", ".....", "....#"]
}
""",
    "unsolvable": """\
{
 "horizontal_answers": [["CAT", "COT"], ["ACE", "OWE"], ["BEE", "TEN"]],
 "vertical_answers": [["COB", "CUB"], ["ACE", "OWN"], ["TEE", "TEN"]],
 "grid": ["...", "...", "..."]
}
""",
}
