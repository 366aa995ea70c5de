package account

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/ratelimit"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Registrar keeps the register of users: it makes those who can sign in with a
// password. Whether they still can is declared in schema.User: the database ends
// the sign-ins of those who can't, and announces it.
type Registrar struct {
	DB *store.DB // where users are
	// Users are the service's.
	Users     *Table
	Passwords *Passwords // hashes passwords
	// Limiter counts who registers, for each network that they come from and for
	// each /48 of IPv6. Nil: as many may as like.
	Limiter ratelimit.Limiter
	// Rate is how many a network may register, and in which time. A /48 may register
	// ten times as many.
	Rate ratelimit.Rate
	// Addresses asks who is made to verify their e-mail address. Nil: it is an
	// operator who makes users, and vouches for their addresses.
	Addresses *Addresses
}

// Registration is the input of signing up.
type Registration struct {
	Name     string // shown to others
	Email    string // unique, without regard to case
	Password string // in the clear: its hash alone is stored
}

// Register makes a user of the role user; from is the caller's network address. An
// e-mail address that is taken is [problem.Duplicate]; too many from a network
// are [problem.RateLimited]. Invalid input does not count.
func (r *Registrar) Register(ctx context.Context, in Registration, from string) (*User, error) {
	ctx = viewer.With(ctx, viewer.AcrossTenants())
	if err := r.judge(in); err != nil {
		return nil, err
	}
	if err := r.admit(ctx, from); err != nil {
		return nil, err
	}
	return r.create(ctx, in, "")
}

// siteFactor is how many networks' registrations a /48 of IPv6 may have together.
const siteFactor = 10

// admit counts a registration from an address, for its network and its /48.
func (r *Registrar) admit(ctx context.Context, from string) error {
	if r.Limiter == nil || r.Rate.Count == 0 {
		return nil
	}
	at, _ := netip.ParseAddr(from) // all that come from nowhere are one
	network := ratelimit.Key{Scope: "register ", Address: ratelimit.Network(at)}
	got, err := r.take(ctx, network, r.Rate)
	if err != nil {
		return err
	}
	site, has := ratelimit.Site(at)
	if !has {
		return nil
	}
	wider := r.Rate
	wider.Count *= siteFactor
	if _, err := r.take(ctx, ratelimit.Key{Scope: "register site ", Address: site}, wider); err != nil {
		_, failure := r.Limiter.Give(ctx, network, r.Rate, got, 1)
		return errors.Join(err, failure)
	}
	return nil
}

// take counts a registration for what a key names.
func (r *Registrar) take(ctx context.Context, key ratelimit.Key, rate ratelimit.Rate) (ratelimit.Result, error) {
	got, err := r.Limiter.Take(ctx, key, rate, 1)
	if err != nil || got.Allowed {
		return got, err
	}
	over := problem.New(problem.RateLimited, "too many registrations from this network: %d in %s are allowed", got.Limit, rate.Window)
	over.RetryAfter = got.RetryAfter
	return got, over
}

// judge returns what is wrong with the input.
func (r *Registrar) judge(in Registration) error {
	bad := r.Users.Invalid(map[string]any{"name": in.Name, "email": in.Email})
	bad = append(bad, expose.CheckPassword("password", in.Password)...)
	return problem.Inputs(bad...)
}

// Create makes a user with the role, if the viewer may.
func (r *Registrar) Create(ctx context.Context, in Registration, role viewer.Role) (*User, error) {
	if err := r.Users.Rules.Check(viewer.From(ctx), policy.Create); err != nil {
		return nil, err
	}
	if err := r.judge(in); err != nil {
		return nil, err
	}
	return r.create(ctx, in, role)
}

// create makes a user with the role, with that of the schema where it is empty.
func (r *Registrar) create(ctx context.Context, in Registration, role viewer.Role) (*User, error) {
	hash, err := r.Passwords.Hash(ctx, in.Password)
	if err != nil {
		return nil, err
	}
	row := map[string]any{"name": in.Name, "email": in.Email}
	if role != "" {
		row["role"] = string(role)
	}
	var made *User
	err = r.DB.InTx(ctx, func(ctx context.Context) error {
		if made, err = r.insert(ctx, row); err != nil {
			return err
		}
		if err := r.Enroll(ctx, made.ID, hash); err != nil {
			return err
		}
		if r.Addresses != nil {
			return r.Addresses.Made(ctx, made.Email)
		}
		return vouch(ctx, r.DB, made.ID, made.Email, proofOperator, store.Time(time.Now()))
	})
	if store.IsUnique(err) {
		taken := problem.Wrap(err, problem.Duplicate, "the e-mail address is taken")
		taken.Details = []problem.Detail{problem.Rulef("email", in.Email, "is taken")}
		return nil, taken
	}
	return made, store.Problem(err)
}

// hashingEnds is how long before a request must be answered no more passwords
// are hashed.
const hashingEnds = 4 * time.Second

// Prepare hashes the password of a user who is going to be made. Hashing takes
// long, so it is done before there is a transaction. Where too many are made at
// once, those that would exceed their time fail with [problem.Unavailable].
func (r *Registrar) Prepare(ctx context.Context, password string) (hash string, err error) {
	if end, ok := ctx.Deadline(); ok && time.Until(end) < hashingEnds {
		late := problem.New(problem.Unavailable, "hashing the passwords took too long: send this one again")
		late.RetryAfter = time.Second
		return "", late
	}
	return r.Passwords.Hash(ctx, password)
}

// insert makes a user.
func (r *Registrar) insert(ctx context.Context, row map[string]any) (*User, error) {
	made, err := r.Users.insert(ctx, row)
	if err != nil {
		return nil, fmt.Errorf("create user: %w", err)
	}
	return &User{
		ID: made.id, Name: made.text("name"), Email: made.text("email"), Role: viewer.Role(made.text("role")), Active: true,
	}, nil
}

var enrollText = statement.Of(`
	INSERT INTO credentials (created_at, updated_at, user_id, password_hash, password_changed_at, totp_enabled, totp_last_step)
	VALUES (now(), now(), $1, $2, now(), false, 0)`)

// Enroll gives a user who has just been made the password with the hash, in
// the context's transaction.
func (r *Registrar) Enroll(ctx context.Context, id int64, hash string) error {
	_, err := enrollText.Exec(ctx, r.DB, id, hash)
	if err != nil {
		return fmt.Errorf("create credential of user %d: %w", id, err)
	}
	return nil
}

var anyUserText = statement.Of(`SELECT 1 FROM users WHERE deleted_at IS NULL LIMIT 1`)

// Empty reports whether there is no user at all.
func (r *Registrar) Empty(ctx context.Context) (bool, error) {
	var one int
	some, err := anyUserText.Row(ctx, r.DB, []any{&one})
	return !some && err == nil, err
}

// FirstAdmin makes an admin where there is no user at all, and reports
// whether it did. Of several processes that start at once one does.
func (r *Registrar) FirstAdmin(ctx context.Context, in Registration) (bool, error) {
	if empty, err := r.Empty(ctx); !empty || err != nil {
		return false, err
	}
	_, err := r.Create(viewer.With(ctx, viewer.AcrossTenants()), in, viewer.Admin)
	if problem.KindOf(err) == problem.Duplicate {
		return false, nil
	}
	return err == nil, err
}
