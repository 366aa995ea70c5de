package gql_test

import (
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/viewer"
)

func TestACallerSeesHowMuchIsStored(t *testing.T) {
	each(t, func(w *world) {
		if a := w.as("bob", `{ fileUsage { own { used } } }`); strings.Join(a.codes(), " ") != "fileUsage SERVICE_UNAVAILABLE" {
			w.Errorf("where no files are kept the usage is %s %q", a.Data, a.codes())
		}
		c := w.config()
		k := &files.Keeper{
			DB: w.db, Store: &files.Folder{Path: w.TempDir()}, Reader: c.Engine.Reader, Engine: c.Engine,
			Targets: files.Targets(api.Entities), Quotas: files.Quotas{Owner: 100, Tenant: 1000},
		}
		c.Files = k
		w.Handler = serve(w.T, c)
		target, _ := k.Target("comment_attachment.file")
		if _, err := k.Take(viewer.With(w.Context(), w.viewers["bob"]), files.Upload{Target: target, Body: strings.NewReader("a note")}); err != nil {
			w.Fatal(err)
		}
		for who, want := range map[string]string{
			"bob": `{"fileUsage":{"own":{"used":6,"quota":100},"tenant":null}}`,
			"mia": `{"fileUsage":{"own":{"used":0,"quota":100},"tenant":null}}`,
		} {
			if a := w.as(who, `{ fileUsage { own { used quota } tenant { used } } }`); compact(w.T, a.Data) != want || len(a.codes()) > 0 {
				w.Errorf("%s: %s %q, want %s", who, a.Data, a.codes(), want)
			}
		}
		if a := w.as("nobody", `{ fileUsage { own { used } } }`); strings.Join(a.codes(), " ") != "fileUsage UNAUTHENTICATED" {
			w.Errorf("a caller without credentials: %s %q", a.Data, a.codes())
		}
	})
}
