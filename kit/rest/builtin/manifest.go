package builtin

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/entwine-go/entwine/kit/manifest"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/rest/apiversion"
	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/kit/viewer"
)

// readManifest answers with what the service is to the caller: GET /manifest. The
// document is made once for each kind of caller, so that a request costs a look into a
// map and the write.
func (a *API) readManifest(ctx context.Context, w http.ResponseWriter) error {
	x := handler.From(ctx)
	names := NamesOf(x.Version)
	var err error
	if names.Language, err = a.Manifests.Language(strings.Join(x.Request.Header["Accept-Language"], ",")); err != nil {
		return err
	}
	text, err := a.Manifests.Of(viewer.From(ctx), names)
	if err != nil {
		return err
	}
	x.Translated = true // it has the version's names already, and no envelope
	h := w.Header()
	h.Set("Cache-Control", handler.Private)
	h["Vary"] = handler.Vary(h, []string{"Accept-Language"})
	if names.Language != "" {
		h.Set("Content-Language", names.Language)
	}
	if x.Tagged(h, text) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(text) // the client may be gone
	return nil
}

// NamesOf are the names and conventions of a version, for its manifest.
func NamesOf(v *apiversion.Served) manifest.Names {
	pages := v.Pages
	return manifest.Names{
		Version: "v" + v.Major(), Base: v.Base, Limits: manifest.Limits{Page: read.MaxLimit},
		Conventions: manifest.Conventions{
			Names: v.Set.Names.String(), IDs: v.IDs.String(), Item: v.Item.String(), List: v.List.String(), Errors: v.Errors.String(),
			Page: map[string]string{
				"total_pages": pages.TotalPages, "has_next": pages.HasNext, "has_prev": pages.HasPrev, "has_more": pages.HasMore,
				"next_cursor": pages.NextCursor, "has_next_page": pages.HasNextPage, "after_id": pages.AfterID, "total_exact": pages.TotalExact,
			},
		},
		Field: v.Inputs.Field, Edge: v.Set.Names.Edge, Input: v.Set.Names.Input, Word: v.Word,
	}
}
