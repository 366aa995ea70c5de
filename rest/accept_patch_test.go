package rest_test

import (
	"fmt"
	"testing"
)

func TestWhatPatchTakes(t *testing.T) {
	each(t, func(w *world) {
		const want = "application/merge-patch+json, application/json"
		path := fmt.Sprintf("/api/v1/users/%d", w.ada.UserID)
		if got := w.do(w.ada, "OPTIONS", path, "").want(204).Header.Get("Accept-Patch"); got != want {
			t.Errorf("OPTIONS: %q", got)
		}
		if got := w.do(w.ada, "PATCH", path, "x", "Content-Type", "text/plain").want(415).Header.Get("Accept-Patch"); got != want {
			t.Errorf("415: %q", got)
		}
		if got := w.do(w.ada, "OPTIONS", "/api/v1/posts", "").want(204).Header.Values("Accept-Patch"); got != nil {
			t.Errorf("where there is no PATCH: %q", got)
		}
		w.do(w.ada, "PATCH", path, `{"name":"Ada"}`, "Content-Type", "application/merge-patch+json").want(200)
	})
}
