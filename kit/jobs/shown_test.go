package jobs_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/viewer"
)

// bill shows some of its arguments, and letter none.
type (
	bill struct {
		Order  int64    `json:"order"          show:"true"`
		Title  string   `json:"title"          show:"true"`
		Lines  []string `json:"lines"          show:"true"`
		Note   *string  `json:"note,omitempty" show:"true"`
		To     string   `json:"to"`
		Layout int      `json:"layout"         show:"false"`
	}
	letter struct {
		To string `json:"to"`
	}
)

func (bill) Kind() string   { return "bill" }
func (letter) Kind() string { return "letter" }

// A job keeps what its readers see of its arguments beside what its worker gets.
func TestAJobShowsTheArgumentsThatItsKindShows(t *testing.T) {
	each(t, func(k *kit) {
		shown := func(args jobs.Args) (all []map[string]string) {
			k.Helper()
			var kept struct {
				Shown []map[string]string `json:"@shown"`
			}
			if err := json.Unmarshal([]byte(k.job(k.enqueue(args, jobs.Options{})).Args), &kept); err != nil {
				k.Fatal(err)
			}
			return kept.Shown
		}
		k.ctx = viewer.With(k.ctx, &viewer.Viewer{UserID: 7})
		got, err := json.Marshal(shown(bill{Order: 1 << 60, Title: strings.Repeat("ä", 300), Lines: []string{"a"}, To: "ada@example.com", Layout: 2}))
		if err != nil {
			k.Fatal(err)
		}
		want := `[{"name":"order","value":"1152921504606846976"},{"name":"title","value":"` + strings.Repeat("ä", 199) + `…"},` +
			`{"name":"lines","value":"[\"a\"]"},{"name":"to","value":"—"}]`
		if string(got) != want {
			k.Errorf("a bill shows %s, want %s", got, want)
		}
		id := k.enqueue(bill{Order: 1, Title: "a", To: "ada@example.com"}, jobs.Options{})
		if row, err := k.client.Find(k.ctx, id); err != nil || row == nil || strings.Contains(row.Args, "@shown") || !strings.Contains(row.Args, "ada@example.com") {
			k.Errorf("an operator sees %+v: %v", row, err)
		}
		if got := shown(letter{To: "ada@example.com"}); got != nil {
			k.Errorf("a letter shows %v", got)
		}
	})
}
