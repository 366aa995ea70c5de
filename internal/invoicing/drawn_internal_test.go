package invoicing

import "testing"

func TestScriptsFromTheRightAreDrawnAsTheyAreRead(t *testing.T) {
	for text, want := range map[string]string{
		"Slide rule (10)":  "Slide rule (10)",
		"שלום":             "םולש",
		"שלום (עולם) 12":   "12 (םלוע) םולש",
		"Tea שלום 12 עולם": "Tea םלוע 12 םולש",
		"Tea שלום and תה.": "Tea םולש and הת.",
		"عربية":            "\ufe94\ufef4\ufe91\ufeae\ufecb",
		"سلام":             "\ufee1\ufefc\ufeb3",
		"می\u200cخواهم":    "\ufee2\ufeeb\ufe8d\ufeee\ufea7\u200c\ufbfd\ufee3",
		"بَب":              "\ufe90\ufe91\u064e",
	} {
		if got := drawn(joined(text), beginsRight(text)); got != want {
			t.Errorf("%s is drawn as %q, want %q", text, got, want)
		}
	}
}
