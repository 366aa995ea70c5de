package app

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/web"
)

// The console's pages about the process are no part of the APIs: their data are
// served below [web.ConsoleData], to callers that inspect admits.

// inspect decides which callers may look into the process.
var inspect = policy.Rules{Read: policy.Roles(viewer.Admin)}

// inspections answer the paths below [web.ConsoleData]. None takes a parameter.
func (h *Host) inspections() map[string]func(context.Context) (any, error) {
	return map[string]func(context.Context) (any, error){
		"requests":   h.explainable,
		"settings":   h.settingsInForce,
		"migrations": h.migrated,
		"health":     h.healthHistory,
		"limits":     h.keyLimits,
		"jobs":       h.jobFlow,
	}
}

// data answers what the console asks of the process.
func (h *Host) data() http.Handler {
	all := h.inspections()
	return h.Handler(func(w http.ResponseWriter, r *http.Request) error {
		if err := inspects(viewer.From(r.Context())); err != nil {
			return err
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			return problem.New(problem.MethodNotAllowed, "the console's data can only be read: GET")
		}
		path := strings.TrimPrefix(r.URL.Path, web.ConsoleData)
		look := all[path]
		if id, one := strings.CutPrefix(path, "requests/"); one {
			look = func(ctx context.Context) (any, error) { return h.explained(ctx, id) }
		}
		if look == nil {
			return problem.New(problem.NotFound, "there is nothing at this path")
		}
		if err := withoutParameters(r); err != nil {
			return err
		}
		answer, err := look(r.Context())
		if err != nil {
			return err
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		if r.Method == http.MethodHead {
			return nil
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"status": "success", "data": answer}) // the client may be gone
		return nil
	})
}

// inspects refuses callers who may not look into the process: all but admins, and of
// these those of one tenant, for the process serves every tenant.
func inspects(v *viewer.Viewer) error {
	if err := inspect.CheckRead(v); err != nil {
		return err
	}
	if v.Tenant != 0 {
		return problem.New(problem.Forbidden, "the process serves every tenant: admins of one tenant may not look into it")
	}
	return nil
}

// withoutParameters refuses parameters, which would be ignored.
func withoutParameters(r *http.Request) error {
	var details []problem.Detail
	for _, name := range slices.Sorted(maps.Keys(r.URL.Query())) {
		// An unknown parameter may hold a secret: its value is not repeated.
		details = append(details, problem.Invalidf(name, nil, "is not a parameter of this request; allowed: none"))
	}
	return problem.Inputs(details...)
}
