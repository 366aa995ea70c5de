package web

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"
)

// Health answers those who decide whether this process gets requests.
//
// GET /healthz: it runs. GET /readyz: it can do its work; 503 where a part
// that it needs is away or it is about to stop, "degraded" and 200 where a
// part is away that it can do without.
type Health struct {
	Log *slog.Logger
	// Needs and Likes are parts by their names: what fails without one, and
	// what goes on without one.
	Needs, Likes map[string]func(context.Context) error

	draining atomic.Bool
}

// Drain makes the process say that it is no longer ready.
func (h *Health) Drain() { h.draining.Store(true) }

func (h *Health) live(w http.ResponseWriter, r *http.Request) {
	h.answer(w, r, http.StatusOK, "ok", nil)
}

func (h *Health) ready(w http.ResponseWriter, r *http.Request) {
	if h.draining.Load() {
		h.answer(w, r, http.StatusServiceUnavailable, "draining", nil)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	checks := make(map[string]string)
	switch needed, liked := h.check(ctx, checks, h.Needs), h.check(ctx, checks, h.Likes); {
	case !needed:
		h.answer(w, r, http.StatusServiceUnavailable, "unavailable", checks)
	case !liked:
		h.answer(w, r, http.StatusOK, "degraded", checks)
	default:
		h.answer(w, r, http.StatusOK, "ok", checks)
	}
}

// check asks each part. What is wrong with it is for the log alone.
func (h *Health) check(ctx context.Context, checks map[string]string, parts map[string]func(context.Context) error) bool {
	all := true
	for name, ask := range parts {
		checks[name] = "ok"
		if err := ask(ctx); err != nil {
			all, checks[name] = false, "failed"
			h.Log.WarnContext(ctx, "part is away", "part", name, "err", err)
		}
	}
	return all
}

func (h *Health) answer(w http.ResponseWriter, r *http.Request, status int, word string, checks map[string]string) {
	if !readOnly(w, r) {
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	if r.Method == http.MethodGet {
		// The client may be gone, which is nobody's error.
		_ = json.NewEncoder(w).Encode(struct {
			Status string            `json:"status"`
			Checks map[string]string `json:"checks,omitempty"`
		}{word, checks})
	}
}

// readOnly answers 405 to whatever is neither GET nor HEAD.
func readOnly(w http.ResponseWriter, r *http.Request) bool {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return true
	}
	w.Header().Set("Allow", "GET, HEAD")
	w.WriteHeader(http.StatusMethodNotAllowed)
	return false
}
