package seed

import (
	"math/rand/v2"
	"strings"
)

// The words that people, products and sentences are made of. A service links
// them, so they are few: what is made of them is distinct enough to try lists,
// filters and searches with.
var (
	firstNames = strings.Fields(`Ada Agnes Ahmed Alan Alice Amara Anders Anita Anton Aria Barbara Ben Bianca Boris Carla Carlos
		Chen Chloe Clara Daniel David Diego Dina Edith Elena Elias Emil Emma Erik Esther Eva Fatima Felix Fiona Florence Frida
		Gabriel Grace Greta Hana Hannah Hector Helen Henrik Ida Igor Ines Irene Isaac Ivan Jack Jana Jean Joan Jonas Jorge Julia
		Karin Kenji Kofi Lars Laura Leila Leo Lina Linus Lucia Magnus Maria Marta Maya Mei Milan Mira Mona Nadia Nils Nina Noah
		Nora Olga Oscar Otto Pablo Paula Petra Priya Rafael Rosa Ruth Samuel Sara Sofia Sven Tara Theo Tomas Uma Vera Viktor Yara Zoe`)
	lastNames = strings.Fields(`Abbott Adler Almeida Anderson Bailey Baker Banerjee Barnes Bauer Becker Bell Berg Bianchi Brandt
		Brown Byron Carter Castro Chan Clark Cohen Costa Curie Dahl Davis Diaz Dubois Ellis Evans Farouk Fischer Flores Ford Franklin
		Garcia Gomez Gray Green Gupta Haas Hansen Harris Hoffman Holm Hopper Hughes Ibsen Ito Jackson Jansen Jensen Johnson Kaur Keller
		Khan Kim King Klein Kovac Kumar Larsen Lee Lopez Lovelace Lund Marino Martin Meyer Miller Mori Morris Murphy Nakamura Nielsen
		Novak Nguyen Okafor Olsen Ortiz Osman Park Patel Perez Petrov Quinn Reed Ricci Rossi Russo Sato Schmidt Silva Singh Smith Sousa
		Stein Suzuki Tanaka Taylor Turing Vargas Vogel Wagner Walker Wang Weber White Wilson Wolf Wright Yamada Young Zhang Zimmer`)
	nouns = strings.Fields(`answer apple archive argument autumn balcony bicycle boat book bridge bridle canal candle castle chapter
		choir cinema clock cloud coast coffee compass concert corner country craft crowd desert dinner door dream engine evening factory
		field fire forest garden glacier guitar harbour harvest hill history holiday horizon island journey kitchen lake lamp lantern
		lecture letter library light machine map market meadow melody memory mill mirror moment morning mountain museum needle neighbour
		night notebook ocean orchard orchestra painting paper path pattern pianist planet poem promise question railway rain recipe river
		road roof room rumour school season secret shadow ship silence snow song spring station stone story storm street summer sunrise
		table tailor teacher theatre tower town traveller tree valley village violin voice wall water weather wheel wind window winter workshop`)
	adjectives = strings.Fields(`ancient autumnal bold bright broken calm careful certain clever cold common crooked curious deep distant
		early empty faithful famous final foreign forgotten fresh gentle golden grand green happy heavy hidden honest hollow huge humble
		inner large late little lively local lonely long lost loud lucky modern narrow nervous new noisy northern old open ordinary pale
		patient plain polite quick quiet rare restless round rusty secret serious short silent silver simple slow small sharp soft southern
		steady strange sudden sweet tall tender thin tired vast warm western wide wild wise wooden young`)
	verbs = strings.Fields(`admires answers avoids awakens becomes begins borrows brings builds buries carries catches changes chooses
		circles collects conceals connects crosses describes discovers divides draws enters explains fears finds finishes follows forgets
		frames gathers guards guides hears helps hides imagines improves invites joins keeps leads leaves lights loses measures meets mends
		needs notices opens outlives paints passes praises prefers proves questions reaches recalls receives remembers repairs replaces
		reveals saves seeks shapes shares shows solves studies surprises surrounds teaches touches understands watches welcomes`)
	adverbs = strings.Fields(`again alone already always better carefully early everywhere finally gladly here indeed instead later
		meanwhile never nowhere often once outside perhaps quickly quietly rarely seldom slowly somehow soon still suddenly then there
		together tomorrow twice well yesterday`)
	opinions = strings.Split("I did not expect that|Well said|This changed my mind|I disagree in part|Thank you for writing this|"+
		"Please write more of this|I have read it twice|That was new to me|My experience was another|Is there a source for this|"+
		"I will try this at home|Everybody should know this|The last part is the best|It reminds me of something", "|")
	materials   = strings.Fields(`bamboo brass bronze ceramic copper cotton glass granite iron leather linen marble oak paper silk silver steel walnut wool zinc`)
	goods       = strings.Fields(`backpack bench blanket bottle bowl bracelet brush camera chair clock cup desk drum easel fan frame gloves hammer jacket kettle keyboard knife ladder lamp mirror mug notebook pan pen pillow plate radio ring scarf shelf shirt shoes spoon stool table tray vase wallet watch`)
	labels      = strings.Fields(`new sale eco gift handmade limited classic kids`)
	departments = strings.Split("books,clothing,electronics,garden,home,kitchen,music,office,outdoors,sports,tools,toys", ",")
)

// words draws names and sentences.
type words struct{ random *rand.Rand }

func (w words) one(of []string) string { return of[w.random.IntN(len(of))] }

// sentence is one without its full stop.
func (w words) sentence() string {
	text := "The " + w.one(adjectives) + " " + w.one(nouns) + " " + w.one(verbs) + " the " + w.one(nouns)
	switch w.random.IntN(3) {
	case 0:
		text += " " + w.one(adverbs)
	case 1:
		text += ", and the " + w.one(nouns) + " " + w.one(verbs) + " the " + w.one(adjectives) + " " + w.one(nouns)
	}
	return text
}

// remark returns an invented sentence.
func (w words) remark() string {
	return w.one(opinions) + ": the " + w.one(nouns) + " is " + w.one(adjectives) + "."
}

// product is the name of a product.
func (w words) product() string {
	name := w.one(adjectives) + " " + w.one(materials) + " " + w.one(goods)
	return strings.ToUpper(name[:1]) + name[1:]
}
