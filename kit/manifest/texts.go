package manifest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/entwine-go/entwine/kit/viewer"
)

// Texts keeps the documents of a service as JSON: each is made when the first caller of a
// kind asks for it, and there are as many as there are kinds of callers, for each version and
// language. All are made anew at midnight, since a deprecated operation may have reached its
// sunset.
type Texts struct {
	Source
	Now func() time.Time

	mu    sync.Mutex
	day   string
	texts map[string][]byte

	// The entities of the document, by name.
	loaded           bool
	roles, languages []string
}

// Of returns the document for callers like v in the names of a version.
func (t *Texts) Of(v *viewer.Viewer, names Names) ([]byte, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.load(); err != nil {
		return nil, err
	}
	v = t.plainly(v)
	key, day := names.Version+" "+names.Language+" "+class(v), t.Now().UTC().Format(time.DateOnly)
	if t.day != day {
		t.day, t.texts = day, map[string][]byte{}
	}
	if text, kept := t.texts[key]; kept {
		return text, nil
	}
	text, err := t.Encode(v, names)
	if err != nil {
		return nil, err
	}
	t.texts[key] = text
	return text, nil
}

// load reads the document once.
func (t *Texts) load() error {
	if t.loaded {
		return nil
	}
	m, err := Decode(t.Text)
	if err != nil {
		return err
	}
	t.loaded, t.roles, t.languages = true, m.Callers, slices.Collect(maps.Keys(m.Catalogs))
	return nil
}

// Encode returns the document as JSON.
func (s Source) Encode(v *viewer.Viewer, names Names) ([]byte, error) {
	plain := names
	plain.Language = "" // the digest is the same in each language
	all, err := s.For(viewer.AcrossTenants(), plain)
	if err != nil {
		return nil, err
	}
	whole, err := json.Marshal(all)
	if err != nil {
		return nil, fmt.Errorf("encode the manifest: %w", err)
	}
	m := all
	if !v.System || names.Language != "" {
		if m, err = s.For(v, names); err != nil {
			return nil, err
		}
	}
	sum := sha256.Sum256(whole)
	m.Digest = hex.EncodeToString(sum[:])
	return json.Marshal(m)
}

// plainly is a viewer of the same kind as v without a role that no rule names, which an
// issuer of tokens may give to users, and without permissions that there are not: there
// are as many documents as there are kinds, whatever credentials say.
func (t *Texts) plainly(v *viewer.Viewer) *viewer.Viewer {
	kind := *v
	if !slices.Contains(t.roles, string(v.Role)) {
		kind.Role = ""
	}
	kind.Permissions = nil
	for _, p := range []viewer.Permission{viewer.Read, viewer.Write} {
		if slices.Contains(v.Permissions, p) {
			kind.Permissions = append(kind.Permissions, p)
		}
	}
	return &kind
}

// class names the kind of caller that v is. A document for one viewer of a kind is
// right for all of the kind: rules tell users apart by their role and by whether they
// have a tenant, and keys by their permissions.
func class(v *viewer.Viewer) string {
	c := callerOf(v)
	tenant := ""
	if v.Tenant != 0 {
		tenant = " in a tenant"
	}
	if v.Actor != 0 {
		tenant += " seen by an admin"
	}
	return c.Kind + " " + c.Role + strings.Join(c.Permissions, ",") + tenant
}
