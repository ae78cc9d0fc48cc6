"""Ordinary English words of this project's own choice that a Gogen can hold: no letter twice, no Z."""

WORDS = tuple(
    """
able ace ache acorn acquire acquit acre act actor age agent aid aim air album ale angel ankle ant ape apron arc arch
arid ark arm army art ash atom aunt avid axe axes axis axle back badge bag bail bake bald ban band banjo banquet bar
bare bark barn base basin bat bath bay beach bead beak beam bear bed beg bench bend bet bid big bin bird bit bite
black blot blow blue blur boat bog bold bolt bond bone bore born both bow bowl box boxer boy brag brave bread brew
brick bride bright brow brown brush buck bucket bud bug bulk bump bun burn bus bush busy but buy cab cable cage cake
calm camp can candle cane cap cape car card care cart case cast cat cave chalk charm chat chef chest chin chip chop
city clan clap claque claw clay clip cloud club clue coat coax coaxing cob cod cog coil coin cold colt comb con cone
cop copy coral cord core cork corn cost cow crab cradle crew crop crow crowd crux cry cub cube cue cup cure curve
cut dairy damp dance dark dart date dawn day dear debt deck den dent deny desk dew dial dib diet dig dim dime din
dip dirt dish dive diver dock doe dog domain dot dove down drag draw dream drink drip drop drug drum dry dual duck
due duel dues duet dug dump dune dusk dust duty dye each ear early earn earth east easy eat elf elk elm end enjoy
envy eon epic equip era evil exact exit exotic expand export extra fable face fact fade faint fair fame fan fang far
farm fast fat fate fault fawn fed fern few fib field fig file film fin find fir fire firm fish fist fit five fix
fixed fjord flag flame flap flat flaw flax flex flip flow flu flute flux fly foal foam foe fog folk fork form fort
foul four fowl fox foxy frame fresh frog frost fruit fuel fume fun fur gain gait gamble game gap garden gas gasp
gate gem germ get giant gift gin glad glove glow glue goal goat gold golf got gown gram grape graph gravy great grew
grid grim grin grip grove grow guest guide gulf gum gun gust gut guy gym had hail hair half halt ham hand hard hare
harm harp has hat hawk hay heap heat heavy hen her herb herd hero hew hex hid hide hike him hinge hint hip his hit
hive hoax hob hoe hog hold holy home honey hop hope horn horse host hot hotel hour house how howl hub hue hug hum
human hump hung hunt hurt husky hut hymn ice icy idea ideal idle inch index inject injury ink ire iron island itch
item its ivory ivy jab jacket jade jag jail jam jar jasmine jaw jay jerk jest jet jib jig jive job jockey jog join
joke jolt jot journal jowl joy judge jug juice jumbo jump jungle juniper junk jury just justify jut keg kept key
keyboard kid kiln kilo kilt kin kind king kit kite knew knife knight knit knob knot know lab lace lack lad lady lag
laid lake lamb lamp lane lap lark last late law lawn lax lay lead leaf leap led leg lemon lend lens let liar lice
lick lid lie lift light like limb lime limp line link lint lion lip list lit live load loaf loan lobe lock log lone
long lord lore lost lot loud love low lox luck lucky lump lung lure lurk lynx mad made magic maid mail main major
make male malt man mane many map maple mar march mare mark marquis mash mask masque mast mat mate may meal mean meat
melt men mend menu met metal mice mild mile milk mind mine mint mist mix mixed moat mob mode mold mole monk month
mop more moth mouse move mow much mud mug mule music musk must myth nail name nap navy near neck nest net new newt
next nib nice night nip noble nod nor norm north nose not note now numb nut nymph oak oar oat oath obey object ocean
odes old olive once one only opaque open opt oral orange orb orbit ore our out oven over owe owl own oxen oxide pace
pack pad page paid pail pain paint pair pal pale palm pan panic par park pat path pave paw pawn pay pea peak pear
pearl peg pelt pen perk pet pew phew phone pick pie pier pig pile pilot pin pine pink pint pit pix pixel plan plaque
plate play plea plot plow plug plum plus ply pod poem poet pole pond pony pork port pose post pot pour pox pray prey
prism project proud prow proxy pry pub puck pulse pun pure push put pyramid pyx quack quad quaint quake qualm quart
quash quasi quay query quest quick quid quiet quilt quip quirk quit quite quiver quota quote quoth rabid race
racquet raft rag rage raid rail rain rake ram ramp ran rang rank rap rash rat rate rave raven raw ray read real reap
red relax rely rent rhyme rib rice rich rid ride ridge rift rig rim ring rip ripe rise risk risque road roam rob
robe rock rod rode role rope rose rot row royal rub ruby rude rug ruin rule rum run rung ruse rush rust rut rye sad
safe sag sage said sail sailor salt same sand sang sap sat save saw say scan scarf sea seal seam self send set sew
shark shed shelf shin ship shoe shop shore shot show shut shy side sigh sign silk silver sing sink sip sir sit site
six sixth sixty ski skin skirt sky slab slap sled slim slip slow slug sly smile smog snow soak soap sob sod sofa
soft soil sold sole son song sore soul sour sow soy spa spark spider spin spot spring spy squad square squid squint
stay stem step stew stir stop storm stow sty sub subject such sugar suit sulk sum sun sure surf swan swap sway swim
sword syrup tab table tack tag tailor take tale talk tame tan tango tank tap tape tar task tax taxi taxis tea team
tear ten tend term than thaw the them they thin this thorn thumb thy tide tidy tie tiger tile time tin tiny tip tire
toad toe toes tomb ton tone top torch torn torque tour tow tower town toxic toxin toy track trail train tray trim
trio trip true try tub tube tuck tug tulip tuna tune turf turkey turn twig twin two type ugly uncle unify unit upon
urban urge urn use used vague vain valet valid value vamp van vane vapor vary vase vast vat veal veil vein vent verb
very vest vet veto vex vial vibe vicar vie view vine violet virus visa visor vixen vocal voice void volt vote vow
vowel wag wage wagon wait wake walk wand want war ward warm warn was wash wasp waste water wave wax waxing waxy way
weak wear web wed west wet whale wharf wheat whim whip whisky white who why wide width wife wig wild win wind wine
wing wink wipe wire wise wish wit with woe wok woke wolf womb won word work world worm worn wrap wren wrong xylem
yacht yak yam yank yap yard yarn yawn year yelp yen yes yet yew yoga yoke you young your
""".upper().split()
)
