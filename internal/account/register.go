package account

import (
	"context"
	"fmt"
	"net/netip"
	"time"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/ent/user"
	"github.com/entwine-go/entwine/ent/verifiedemail"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/ratelimit"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/schema"
)

// Registrar keeps the register of users: it makes those who can sign in with a
// password. Whether they still can is declared in schema.User: the database ends
// the sign-ins of those who can't, and announces it.
type Registrar struct {
	DB        *store.DB
	Passwords *Passwords
	// Limiter counts who registers, for each network that they come from. Nil:
	// as many may as like.
	Limiter ratelimit.Limiter
	Rate    ratelimit.Rate
	// Addresses asks who is made to verify their e-mail address. Nil: it is an
	// operator who makes users, and vouches for their addresses.
	Addresses *Addresses
}

// Registration is what somebody says who signs up.
type Registration struct {
	Name     string
	Email    string
	Password string
}

// Register signs up whoever asks from an address, always as a plain user. An
// e-mail address that is taken is [problem.Duplicate]; too many from a network
// are [problem.RateLimited]. What is not even sound does not count.
func (r *Registrar) Register(ctx context.Context, in Registration, from string) (*ent.User, error) {
	ctx = viewer.With(ctx, viewer.System())
	if err := r.judge(in); err != nil {
		return nil, err
	}
	if err := r.admit(ctx, from); err != nil {
		return nil, err
	}
	return r.Create(ctx, in, viewer.User)
}

// admit counts a registration from an address.
func (r *Registrar) admit(ctx context.Context, from string) error {
	if r.Limiter == nil || r.Rate.Count == 0 {
		return nil
	}
	at, _ := netip.ParseAddr(from) // all that come from nowhere are one
	got, err := r.Limiter.Take(ctx, ratelimit.Key{Scope: "register ", Address: ratelimit.Network(at)}, r.Rate, 1)
	if err != nil || got.Allowed {
		return err
	}
	over := problem.New(problem.RateLimited, "too many registrations from this network: %d in %s are allowed", got.Limit, r.Rate.Window)
	over.RetryAfter = got.RetryAfter
	return over
}

// judge says what is wrong with what somebody says.
func (r *Registrar) judge(in Registration) error {
	bad := rows.User.Invalid(map[string]any{"name": in.Name, "email": in.Email})
	bad = append(bad, schema.CheckPassword("password", in.Password)...)
	return problem.Inputs(bad...)
}

func (r *Registrar) draft(in Registration, role viewer.Role) *ent.UserCreate {
	return orm.Client(r.DB).User.Create().SetName(in.Name).SetEmail(in.Email).SetRole(user.Role(role))
}

// Create makes a user with the role, if the viewer may.
func (r *Registrar) Create(ctx context.Context, in Registration, role viewer.Role) (*ent.User, error) {
	if err := entity.User.Rules.Check(viewer.From(ctx), policy.Create); err != nil {
		return nil, err
	}
	if err := r.judge(in); err != nil {
		return nil, err
	}
	hash, err := r.Passwords.Hash(ctx, in.Password)
	if err != nil {
		return nil, err
	}
	var made *ent.User
	err = r.DB.InTx(ctx, func(ctx context.Context) error {
		if made, err = r.insert(ctx, r.draft(in, role), hash); err != nil {
			return err
		}
		if r.Addresses != nil {
			return r.Addresses.Made(ctx, made.Email)
		}
		return vouch(ctx, r.DB, made.ID, made.Email, verifiedemail.ProofOperator, store.Time(time.Now()))
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

// Prepare hashes the password of a user who is going to be made. That takes
// long, so it is done before there is a transaction; where many are made at
// once, those for whom there is no time left are [problem.Unavailable].
func (r *Registrar) Prepare(ctx context.Context, password string) (hash string, err error) {
	if end, ok := ctx.Deadline(); ok && time.Until(end) < hashingEnds {
		late := problem.New(problem.Unavailable, "hashing the passwords took too long: send this one again")
		late.RetryAfter = time.Second
		return "", late
	}
	return r.Passwords.Hash(ctx, password)
}

// insert makes the user and what they sign in with.
func (r *Registrar) insert(ctx context.Context, draft *ent.UserCreate, hash string) (*ent.User, error) {
	made, err := draft.Save(ctx)
	if err != nil {
		return nil, fmt.Errorf("create user: %w", err)
	}
	return made, r.Enroll(ctx, made.ID, hash)
}

// Enroll gives a user who has just been made the password with the hash, in
// the context's transaction.
func (r *Registrar) Enroll(ctx context.Context, id typedid.UserID, hash string) error {
	err := orm.Client(r.DB).Credential.Create().SetUserID(id).SetPasswordHash(hash).SetPasswordChangedAt(time.Now()).
		Exec(viewer.With(ctx, viewer.System()))
	if err != nil {
		return fmt.Errorf("create credential of user %d: %w", id, err)
	}
	return nil
}

// Empty reports whether there is no user at all.
func (r *Registrar) Empty(ctx context.Context) (bool, error) {
	some, err := orm.Client(r.DB).User.Query().Exist(viewer.With(ctx, viewer.System()))
	return !some && err == nil, err
}

// FirstAdmin makes an admin where there is no user at all, and reports
// whether it did. Of several processes that start at once one does.
func (r *Registrar) FirstAdmin(ctx context.Context, in Registration) (bool, error) {
	if empty, err := r.Empty(ctx); !empty || err != nil {
		return false, err
	}
	_, err := r.Create(viewer.With(ctx, viewer.System()), in, viewer.Admin)
	if problem.KindOf(err) == problem.Duplicate {
		return false, nil
	}
	return err == nil, err
}
