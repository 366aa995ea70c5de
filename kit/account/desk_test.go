package account_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/crypto/bcrypt"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/internal/notes"
	"github.com/entwine-go/entwine/kit/internal/notes/engine"
	"github.com/entwine-go/entwine/kit/internal/notes/ent"
	"github.com/entwine-go/entwine/kit/internal/notes/ent/orm"
	"github.com/entwine-go/entwine/kit/internal/notes/ent/typedid"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/pubsub"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/write"
)

// desk is everything that signing in takes, over a database of its own and
// with a clock that only the test moves.
type desk struct {
	*ent.Client
	t             *testing.T
	db            *store.DB
	issuer        *account.Issuer
	registrar     *account.Registrar
	authenticator *account.Authenticator
	gate          *account.Gatekeeper
	factor        *account.SecondFactor
	resetter      *account.Resetter
	mailbox       mailbox
	asked         []string // whose reset mail was asked for
	keyring       *account.Keyring
	bus           pubsub.Memory
	verifier      *account.Verifier
	micros        atomic.Int64
	addresses     atomic.Int64
	waited        atomic.Int64 // how long the last attempt had to wait that had to
}

// each runs the test on both databases.
func each(t *testing.T, test func(t *testing.T, d *desk)) {
	t.Helper()
	t.Parallel()
	notes.Each(t, func(t *testing.T, db *store.DB) { test(t, newDesk(t, db)) })
}

func newDesk(t *testing.T, db *store.DB) *desk {
	t.Helper()
	d := &desk{Client: orm.Client(db), t: t, db: db}
	d.micros.Store(time.Now().UnixMicro())
	d.issuer = newIssuer(t, seed1)
	d.issuer.Now = d.now
	passwords := account.NewPasswords(bcrypt.MinCost)
	keys := vault(t, 1)
	d.registrar = &account.Registrar{DB: db, Users: engine.Users(db), Passwords: passwords}
	d.gate = &account.Gatekeeper{DB: db, Issuer: d.issuer, Vault: keys, Now: d.now}
	throttle := &account.Throttle{DB: db, Vault: keys, Now: d.now, Pause: d.pause}
	d.factor = &account.SecondFactor{DB: db, Vault: keys, Passwords: passwords, Throttle: throttle, Service: "entwine", Now: d.now}
	d.authenticator = &account.Authenticator{DB: db, Passwords: passwords, Throttle: throttle, Factor: d.factor, Gate: d.gate}
	d.resetter = &account.Resetter{
		DB: db, Passwords: passwords, Throttle: throttle, Gate: d.gate, Mail: &d.mailbox, Now: d.now,
		Ask:  func(_ context.Context, email string) error { d.asked = append(d.asked, email); return nil },
		Page: "https://app.example.com/reset",
	}
	d.keyring = engine.Keyring(db)
	d.keyring.Now = d.now
	db.OnWake(d.bus.Wake)
	d.verifier = account.NewVerifier(db, d.issuer, &d.bus, slog.New(slog.DiscardHandler))
	return d
}

func vault(t *testing.T, seeds ...byte) *account.Vault {
	t.Helper()
	var keys []string
	for _, seed := range seeds {
		keys = append(keys, base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{seed}, 32)))
	}
	v, err := account.NewVault(keys)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func system(t *testing.T) context.Context {
	return viewer.With(t.Context(), viewer.System())
}

func (d *desk) now() time.Time { return time.UnixMicro(d.micros.Load()).UTC() }

func (d *desk) pass(by time.Duration) { d.micros.Add(by.Microseconds()) }

// pause notes how long an attempt would have had to wait.
func (d *desk) pause(_ context.Context, by time.Duration) error {
	d.waited.Store(int64(by))
	return nil
}

func (d *desk) must(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

// act does to a row what is declared of it, as the APIs do.
func (d *desk) act(ctx context.Context, of *write.Entity, id int64, verb string) (write.Result, error) {
	engine := engine.New(d.db, d.keyring)
	return engine.Act(ctx, write.Call{Entity: of, ID: gid.Int(id)}, of.Action(verb))
}

var (
	ada  = account.Registration{Name: "Ada Lovelace", Email: "Ada@example.com", Password: "correct horse 1"}
	eve  = account.Registration{Name: "Eve", Email: "eve@example.com", Password: "correct horse 1"}
	home = account.Origin{Agent: "browser", Address: "192.0.2.1"}
)

func (d *desk) register(in account.Registration) *account.User {
	d.t.Helper()
	who, err := d.registrar.Register(d.t.Context(), in, "")
	if err != nil {
		d.t.Fatalf("Register(%s): %v", in.Email, err)
	}
	return who
}

// update begins a change of a user that accounts know nothing of.
func (d *desk) update(who *account.User) *ent.UserUpdateOne {
	return d.User.UpdateOneID(typedid.UserID(who.ID))
}

// login signs Ada in.
func (d *desk) login() *account.Grant {
	d.t.Helper()
	grant, err := d.tryLogin(ada.Email, ada.Password)
	if err != nil {
		d.t.Fatalf("Login: %v", err)
	}
	return grant
}

func (d *desk) tryLogin(email, password string) (*account.Grant, error) {
	return d.authenticator.Login(d.t.Context(), account.Login{Email: email, Password: password, Mode: account.ModeBearer, From: home})
}

// somewhere is in another /48 each time.
func (d *desk) somewhere() account.Origin {
	return account.Origin{Agent: "browser", Address: fmt.Sprintf("2001:db8:%x::1", d.addresses.Add(1))}
}

// admit begins a sign-in of a user who has proven it.
func (d *desk) admit(who *account.User, mode account.Mode) *account.Grant {
	d.t.Helper()
	grant, err := d.gate.Admit(d.t.Context(), who, mode, home)
	d.must(err)
	return grant
}

// sid returns the name of the sign-in.
func (d *desk) sid(grant *account.Grant) string {
	d.t.Helper()
	if grant.Mode == account.ModeSession {
		return storetest.Ask[string](d.t, d.db, "SELECT sid FROM sessions WHERE mode = 'session' AND user_id = $1", grant.User.ID)[0]
	}
	claims, err := d.issuer.Verify(grant.Access.Text)
	d.must(err)
	return claims.SessionID
}

// as returns a context in which the user of the grant calls.
func (d *desk) as(grant *account.Grant) context.Context {
	d.t.Helper()
	return viewer.With(d.t.Context(), &viewer.Viewer{
		UserID: grant.User.ID, Role: grant.User.Role, SessionID: d.sid(grant),
	})
}

func (d *desk) wantKind(what string, err error, want problem.Kind) {
	d.t.Helper()
	if err == nil || problem.KindOf(err) != want {
		d.t.Errorf("%s: %v (kind %v), want kind %v", what, err, problem.KindOf(err), want)
	}
}

// atOnce does the same fifty times at once and returns the errors.
func atOnce(do func(i int) error) []error {
	done := make(chan error, 50)
	for i := range cap(done) {
		go func() { done <- do(i) }()
	}
	errs := make([]error, cap(done))
	for i := range errs {
		errs[i] = <-done
	}
	return errs
}
