package rest_test

import (
	"fmt"
	"testing"

	"github.com/entwine-go/entwine/kit/viewer"
)

func TestANewProfileIsItsFirstVersion(t *testing.T) {
	each(t, func(w *world) {
		path := func(v *viewer.Viewer) string { return fmt.Sprintf("/api/v1/users/%d/profile", v.UserID) }
		for v, method := range map[*viewer.Viewer]string{w.ada: "PUT", w.bob: "PATCH"} {
			made := w.do(v, method, path(v), `{"bio":"x"}`).want(201)
			if made.data()["version"] != 1.0 {
				t.Errorf("%s makes %s", method, made.Raw)
			}
			tag := made.Header.Get("Etag")
			if got := w.do(v, "PATCH", path(v), `{"bio":"y"}`, "If-Match", tag).want(200).data()["version"]; got != 2.0 {
				t.Errorf("the second version is %v", got)
			}
			w.do(v, "PATCH", path(v), `{"bio":"z"}`, "If-Match", tag).want(412)
		}
	})
}
