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
 "horizontal_answers": [["PUN", "CUB"], ["PLUS", "ONES"], ["BIAS", "DIET"], ["TRY", "PAY"]],
 "vertical_answers": [["COD", "NOT"], ["TRIO", "UNIT"], ["BARK", "BEER"], ["SAY", "STY"]],
 "clues_across": ["A young bear", "Not many, but some", "What one eats", "Have a go"],
 "clues_down": ["A fish", "A part of a whole", "It is brewed", "Where pigs live"],
 "grid": ["...#", "....", "....", "#..."]
}
""",
    "given": """\
{
 "horizontal_answers": [["BUD", "DUG"], ["VASE", "RUST"], ["ITCH", "ITEM"], ["EAR"]],
 "vertical_answers": [["DATA", "HARP"], ["MEET", "USER"], ["GEM"], ["LIE", "VIE"]],
 "grid": ["#.U.", "....", "....", "...#"]
}
""",
    "5x5": """\
{
 "horizontal_answers": [
  ["DRAG", "STAR"],
  ["STAGE", "AWAKE"],
  ["TOKEN", "ASSET"],
  ["SHELL", "EVENT"],
  ["BETS", "WENT"]
 ],
 "vertical_answers": [
  ["SHEER", "STOVE"],
  ["TAKEN", "STEEL"],
  ["AGREE", "AGENT"],
  ["TUNE", "RENT"],
  ["STEW", "DUEL"]
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
