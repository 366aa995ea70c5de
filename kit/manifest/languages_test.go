package manifest_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/manifest"
	"github.com/entwine-go/entwine/kit/viewer"
)

// spoken is a service that has its words in German and in Brazilian Portuguese.
func spoken() *manifest.Texts {
	texts := described(time.Now)
	texts.Text = []byte(`{"format":1,"service":{"name":"notes","version":"1.0.0"},"callers":["user","admin"],"entities":[{"name":"Note","singular":"note",
		"label":"Note","labels":"Notes","description":"A thing that is kept.","plural":"notes","path":"/notes","id":"id","key":"id","title":"id",
		"fields":[{"name":"id","kind":"id","label":"ID"},{"name":"author_id","kind":"int","label":"Author","values":[{"name":"a","label":"Open"}]}],
		"verbs":[{"name":"list","id":"listNotes","method":"GET","path":"/notes","rows":"","judge":{"entity":"Note"}}]}],
		"catalogs":{"de":{"Note: Author":"Verfasser","Author":"Mensch","Notes":"Notizen","Open":"Offen"},"pt-br":{"Notes":"Notas"}}}`)
	return texts
}

// A word of an entity comes before the word of all, and what a catalog lacks stays in the
// words of the schema.
func TestADocumentHasTheWordsOfALanguage(t *testing.T) {
	t.Parallel()
	texts, ada := spoken(), &viewer.Viewer{UserID: 1, Role: "user"}
	digests := map[string]bool{}
	for language, want := range map[string]string{"": "Notes Note Author Open", "de": "Notizen Note Verfasser Offen", "pt-br": "Notas Note Author Open"} {
		in := names
		in.Language = language
		text, err := texts.Of(ada, in)
		if err != nil {
			t.Fatal(err)
		}
		var m manifest.Manifest
		if err := json.Unmarshal(text, &m); err != nil {
			t.Fatal(err)
		}
		e := m.Entities[0]
		if got := fmt.Sprint(e.Labels, " ", e.Label, " ", e.Fields[1].Label, " ", e.Fields[1].Values[0].Label); got != want || m.Catalogs != nil {
			t.Errorf("in %q it says %q, want %q; catalogs %v", language, got, want, m.Catalogs)
		}
		digests[m.Digest] = true
	}
	if len(digests) != 1 {
		t.Errorf("languages have %d digests, want one", len(digests))
	}
}

func TestALanguageIsChosenByWhatIsAccepted(t *testing.T) {
	t.Parallel()
	texts := spoken()
	for accepted, want := range map[string]string{
		"": "", "*": "", "fr": "", "de": "de", "DE-at": "de", "de-AT, en;q=0.9": "de", "en, de;q=0.5": "", "en-GB;q=0.2, de;q=0.5": "de",
		"fr;q=1, pt-BR;q=0.4": "pt-br", "pt": "", "de;q=0": "", "de;q=nonsense, pt-br": "pt-br", ",;,-,": "",
	} {
		if got, err := texts.Language(accepted); err != nil || got != want {
			t.Errorf("%q: %q, want %q: %v", accepted, got, want, err)
		}
	}
}

func TestACatalogIsComparedWithTheWordsOfTheSchema(t *testing.T) {
	t.Parallel()
	m, err := manifest.Decode(spoken().Text)
	if err != nil {
		t.Fatal(err)
	}
	c := manifest.Catalog{"Notes": "Notizen", "Note: Author": "Verfasser", "Pote: Author": "x", "Authors": "x"}
	if got := m.Unknown(c); !slices.Equal(got, []string{"Authors", "Pote: Author"}) {
		t.Errorf("unknown are %q", got)
	}
	if got := m.Untranslated(c); !slices.Equal(got, []string{"ID", "Note", "Open"}) {
		t.Errorf("untranslated are %q", got)
	}
}
