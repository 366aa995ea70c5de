package files

import (
	"context"
	"net/http"
	"strconv"
	"time"
)

// Plan has the requests by which a client sends a file: in both APIs.
type Plan struct {
	ID  string `json:"id"`
	URL string `json:"url"`
	// Size is how many bytes the file has, nil where that is not known yet.
	Size      *int64    `json:"size"`
	Complete  bool      `json:"complete"`
	ExpiresAt time.Time `json:"expires_at"`
	Parts     []Send    `json:"parts"`
}

// Send is a request that sends a part of a file.
type Send struct {
	Offset  int64    `json:"offset"`
	Size    int64    `json:"size"`
	Method  string   `json:"method"`
	URL     string   `json:"url"`
	Headers []Header `json:"headers"`
}

// Header is a header field of a request.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Plan says how the parts of an upload are sent that have not arrived: see [Keeper.Missing]. Those
// that the service receives go to its addresses below base, such as "/api/v1".
func (k *Keeper) Plan(ctx context.Context, p *Partial, partSize int64, base string) (*Plan, error) {
	missing, err := k.Missing(ctx, p, partSize)
	if err != nil {
		return nil, err
	}
	plan := &Plan{ID: p.Key, URL: p.Address(), Complete: p.Complete, ExpiresAt: p.ExpiresAt.UTC().Truncate(time.Second), Parts: make([]Send, len(missing))}
	if p.Length > 0 {
		plan.Size = &p.Length
	}
	for i, m := range missing {
		s := Send{Offset: m.Offset, Size: m.Size, Method: http.MethodPut, URL: m.URL, Headers: []Header{}}
		if m.URL == "" {
			s.Method, s.URL = http.MethodPatch, base+"/files/"+p.Key+"/upload"
			s.Headers = []Header{{"Content-Type", "application/partial-upload"}, {"Upload-Offset", strconv.FormatInt(m.Offset, 10)}, {"Upload-Complete", "?0"}}
		}
		plan.Parts[i] = s
	}
	return plan, nil
}
