package account_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/internal/notes/engine"
	"github.com/entwine-go/entwine/kit/internal/notes/ent/typedid"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

var warehouse = account.NewAPIKey{ClientName: "warehouse", Permissions: []string{"read", "write"}}

func TestAKeySpeaksForItsProgram(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		text, id, err := d.keyring.Create(system(t), warehouse)
		if err != nil {
			t.Fatal(err)
		}
		key := d.APIKey.GetX(system(t), typedid.APIKeyID(id))
		if !strings.HasPrefix(text, key.Prefix+"_") || len(text) != 45 || strings.Contains(string(key.SecretHash), text[12:]) {
			t.Errorf("key %s, prefix %s", text, key.Prefix)
		}
		v, err := d.verifier.APIKey(t.Context(), text)
		if err != nil {
			t.Fatal(err)
		}
		if v.KeyID != id || v.Client != "warehouse" || !v.May(viewer.Read) || !v.May(viewer.Write) || v.UserID != 0 {
			t.Errorf("viewer %+v", v)
		}
		used := d.APIKey.GetX(system(t), key.ID)
		if used.LastUsedAt == nil || !used.UpdatedAt.Equal(key.UpdatedAt) {
			t.Errorf("used %v, updated %v, was %v", used.LastUsedAt, used.UpdatedAt, key.UpdatedAt)
		}
	})
}

func TestBadKeysAreRefused(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		text, _, err := d.keyring.Create(system(t), warehouse)
		if err != nil {
			t.Fatal(err)
		}
		other, _, err := d.keyring.Create(system(t), warehouse)
		if err != nil {
			t.Fatal(err)
		}
		var log store.Log
		for name, c := range map[string]struct {
			text       string
			statements int
		}{
			"nothing":                {"", 0},
			"the prefix":             {text[:12], 0},
			"a typing error":         {text[:20] + "8" + text[21:], 0}, // 8 is never part of a key
			"other case":             {strings.ToUpper(text), 0},
			"more":                   {text + "a", 0},
			"a wrong checksum":       {text[:38] + other[38:], 0},
			"another key's secret":   {text[:11] + other[11:], 0},
			"a key that was never":   {"ek_aaaaaaaa_bbbbbbbbbbbbbbbbbbbbbbbbbb" + "ogtemgy", 0},
			"a space before the key": {" " + text, 0},
		} {
			log.Reset()
			_, err := d.verifier.APIKey(store.WithStatementLog(t.Context(), &log), c.text)
			if problem.KindOf(err) != problem.TokenInvalid || err.Error() != "unknown API key" {
				t.Errorf("%s: %v", name, err)
			}
			if n := len(log.Statements()); n != c.statements {
				t.Errorf("%s: %d statements, want %d", name, n, c.statements)
			}
		}
	})
}

func TestAKeyEnds(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		expires := d.now().Add(time.Second)
		short := warehouse
		short.ExpiresAt = &expires
		expiring, _, err := d.keyring.Create(system(t), short)
		if err != nil {
			t.Fatal(err)
		}
		revoked, key, err := d.keyring.Create(system(t), warehouse)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{expiring, revoked} {
			if _, err := d.verifier.APIKey(t.Context(), text); err != nil {
				t.Errorf("a key that works: %v", err)
			}
		}
		d.pass(time.Second)
		if _, err := d.verifier.APIKey(t.Context(), expiring); problem.KindOf(err) != problem.TokenInvalid {
			t.Errorf("an expired key: %v", err)
		}
		for range 2 {
			if _, err := d.act(system(t), engine.APIKey, key, "revoke"); err != nil {
				t.Errorf("Revoke: %v", err)
			}
		}
		d.pass(2 * time.Second)
		if _, err := d.verifier.APIKey(t.Context(), revoked); problem.KindOf(err) != problem.TokenInvalid {
			t.Errorf("a revoked key: %v", err)
		}
		if _, err := d.act(system(t), engine.APIKey, key+100, "revoke"); problem.KindOf(err) != problem.NotFound {
			t.Errorf("Revoke(no key): %v", err)
		}
	})
}

func TestOnlyAnAdminMakesAndRevokesKeys(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		admin := d.register(ada)
		_, key, err := d.keyring.Create(viewer.With(t.Context(), &viewer.Viewer{UserID: admin.ID, Role: viewer.Admin}), warehouse)
		if err != nil {
			t.Fatal(err)
		}
		if by := d.APIKey.GetX(system(t), typedid.APIKeyID(key)).CreatorID; by == nil || int64(*by) != admin.ID {
			t.Errorf("made by %v, want %d", by, admin.ID)
		}
		ctx := viewer.With(t.Context(), &viewer.Viewer{UserID: admin.ID, Role: "user"})
		if _, _, err := d.keyring.Create(ctx, warehouse); problem.KindOf(err) != problem.Forbidden {
			t.Errorf("Create as a user: %v", err)
		}
		if _, err := d.act(ctx, engine.APIKey, key, "revoke"); problem.KindOf(err) != problem.Forbidden {
			t.Errorf("Revoke as a user: %v", err)
		}
	})
}

func TestWhatAKeyMayBeIsChecked(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		now := d.now()
		for name, in := range map[string]account.NewAPIKey{
			"an end that has come": {ClientName: "x", Permissions: []string{"read"}, ExpiresAt: &now},
			"no client":            {Permissions: []string{"read"}},
			"no permission":        {ClientName: "x"},
			"another":              {ClientName: "x", Permissions: []string{"delete"}},
			"one of them twice":    {ClientName: "x", Permissions: []string{"read", "read"}},
		} {
			_, _, err := d.keyring.Create(system(t), in)
			if e := problem.As(err); e == nil || e.Kind != problem.Unprocessable || len(e.Details) != 1 {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// Keys that work and are pinned to a version that is not offered are counted.
func TestKeysOfVersionsThatAreNotOfferedAreCounted(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		later := d.now().Add(time.Hour)
		for _, in := range []account.NewAPIKey{
			{APIVersion: "v3"}, {APIVersion: "v3", ExpiresAt: &later}, {APIVersion: "v4"}, {APIVersion: "v2"}, {},
		} {
			in.ClientName, in.Permissions = "depot", []string{"read"}
			_, _, err := d.keyring.Create(system(t), in)
			d.must(err)
		}
		keys := *d.keyring
		count := func(versions ...string) int64 {
			keys.Versions = versions
			n, err := keys.Unserved(t.Context())
			d.must(err)
			return n
		}
		if n := count("v1", "v2"); n != 3 {
			t.Errorf("%d keys, want 3", n)
		}
		if n := count("v2", "v3", "v4"); n != 0 {
			t.Errorf("%d keys where all versions are offered", n)
		}
		if n := count(); n != 0 {
			t.Errorf("%d keys where any version is offered", n)
		}
		keys.Now = func() time.Time { return later }
		_, err := d.act(viewer.With(t.Context(), &viewer.Viewer{UserID: 1, Role: viewer.Admin}), engine.APIKey, 1, "revoke")
		d.must(err)
		if n := count("v1", "v2"); n != 1 {
			t.Errorf("%d keys are left, one is revoked and one has expired: want 1", n)
		}
	})
}

func TestARotatedKeyHasAnotherText(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		old, id, err := d.keyring.Create(system(t), warehouse)
		d.must(err)
		admin := viewer.With(t.Context(), &viewer.Viewer{UserID: 1, Role: viewer.Admin})
		rotate := func(ctx context.Context, id int64) (string, error) {
			r, err := d.act(ctx, engine.APIKey, id, "rotate")
			return r.Once()["key"], err
		}
		text, err := rotate(admin, id)
		d.must(err)
		if rotated := d.APIKey.GetX(system(t), typedid.APIKeyID(id)); text == old || rotated.Version != 2 {
			t.Errorf("rotated to %+v", rotated)
		}
		if v, err := d.verifier.APIKey(t.Context(), text); err != nil || v.KeyID != id {
			t.Errorf("the new text: %+v, %v", v, err)
		}
		_, err = d.verifier.APIKey(t.Context(), old)
		d.wantKind("the old text", err, problem.TokenInvalid)
		_, err = d.act(admin, engine.APIKey, id, "revoke")
		d.must(err)
		_, err = rotate(admin, id)
		d.wantKind("Rotate what was revoked", err, problem.Conflict)
		_, err = rotate(admin, id+1)
		d.wantKind("Rotate what is not there", err, problem.NotFound)
		for kind, v := range map[problem.Kind]*viewer.Viewer{
			problem.Unauthenticated: viewer.Anonymous(),
			problem.Forbidden:       {KeyID: id, Permissions: []viewer.Permission{viewer.Read, viewer.Write}},
		} {
			_, err = rotate(viewer.With(t.Context(), v), id)
			d.wantKind("Rotate by who may not", err, kind)
		}
	})
}
