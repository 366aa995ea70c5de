// Package presence shows the viewers of a row, each with a state of its own
// (expose.Resource.Presence), to all callers who can read the row, in all
// processes.
//
// A member is a stream that is open. It enters when the stream begins and leaves when
// it ends; its state is the last that it has sent. Members are in a [Store], never in
// the database: that of this process, or Redis, which several processes share. A
// process that dies leaves its members there for [Life] at the most.
//
// The members of a row are a live list (package live) whose rows no table has. Callers
// who may read the row follow it, are proven again as for each live list, and are sent
// the differences between the members that they have and those of now. So nothing is
// queued for a stream, and no message is a statement.
package presence

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/live"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/pubsub"
	"github.com/entwine-go/entwine/kit/ratelimit"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/viewer"
)

const (
	// Most is how many members a row has at the most.
	Most = 100
	// Life is how long a member is there of which its process says nothing.
	Life = 30 * time.Second
	// beat is how often a process says that its members are there.
	beat = Life / 3
	// pace is the least time between two readings of a row's members.
	pace = 50 * time.Millisecond
)

// rate is how much a member may say.
var rate = ratelimit.Rate{Count: 20, Window: time.Second, Algorithm: ratelimit.Bucket}

// Member is one that looks at a row.
type Member struct {
	ID string `json:"id"`
	// UserID is the user's, 0 for an API key and an anonymous caller.
	UserID int64 `json:"user_id,omitempty"`
	// Since is when it came, in microseconds.
	Since int64 `json:"since"`
	// State is the member's own state: an object of JSON, in the form of the schema.
	State json.RawMessage `json:"-"`
	// who is the caller: no other says something as this member.
	who string
}

// Rooms are the rows of a process whose presence is followed. While there are none it
// does nothing. All fields but Users and Log are required.
type Rooms struct {
	Lists   *live.Lists
	Store   Store
	Bus     pubsub.Bus
	Limiter ratelimit.Limiter
	// Entities are those of the service, of which some have a presence. Users names the
	// entity of its users, empty where it has none.
	Entities []*entity.Entity
	Users    string
	Log      *slog.Logger

	mu    sync.Mutex
	rooms map[string]*room
}

// Show writes a member as a door shows it.
type Show func(m *Member) []read.View

// Open follows the presence of the row that the caller of the context can read, as a
// member of it. Key names how members are shown. The caller closes what is returned.
func (r *Rooms) Open(ctx context.Context, e *entity.Entity, id gid.ID, key string, show Show) (*Follower, error) {
	name := e.Name + ":" + id.String()
	f := &Follower{name: name}
	following, err := r.Lists.Open(ctx, func(ctx context.Context) (live.Source, error) {
		if err := e.Rules.CheckRead(viewer.From(ctx)); err != nil {
			return live.Source{}, err
		}
		return r.source(viewer.From(ctx), e, id, name, key, show), nil
	}, "")
	if err != nil {
		return nil, err
	}
	f.Follower, f.room = following, r.enter(name)
	if v := viewer.From(ctx); v.MayChange() == nil { // an admin who sees as another is not shown as that one
		begin, err := e.Presence.State([]byte("{}"))
		if err != nil {
			f.Close()
			return nil, err
		}
		secret := rand.Text()
		f.Token = base64.RawURLEncoding.EncodeToString([]byte(name)) + "." + secret
		f.Member = &Member{ID: idOf(f.Token), UserID: max(v.UserID, 0), Since: time.Now().UnixMicro(), State: begin, who: who(v)}
		if err := f.room.join(ctx, f.Member); err != nil {
			f.Member = nil
			f.Close()
			return nil, err
		}
	}
	return f, nil
}

// source is the live list of the members.
func (r *Rooms) source(v *viewer.Viewer, e *entity.Entity, id gid.ID, name, key string, show Show) live.Source {
	return live.Source{
		Key: "presence " + key + " " + name, Form: "presence " + name, Entity: e, Where: read.ByID(e, id),
		Read: func(ctx context.Context, reader *read.Reader) (read.Window, error) {
			readable, err := reader.Readable(ctx, e, id)
			if err == nil && !readable {
				err = read.NotFound(e)
			}
			return read.Window{}, err
		},
		Beside: &live.Beside{
			Rows: func() []read.Row {
				members := r.shown(v, r.members(name))
				rows := make([]read.Row, len(members))
				for i := range members {
					rows[i] = read.Row{ID: gid.Text(members[i].ID), Views: show(&members[i])}
				}
				return rows
			},
			Listen: func(changed func()) (stop func()) {
				one := r.enter(name)
				deaf := one.listen(changed)
				return func() { deaf(); one.leave() }
			},
		},
	}
}

// Read returns the members of a row that the caller of the context can read.
func (r *Rooms) Read(ctx context.Context, reader *read.Reader, e *entity.Entity, id gid.ID) ([]Member, error) {
	if err := e.Rules.CheckRead(viewer.From(ctx)); err != nil {
		return nil, err
	}
	name, v := e.Name+":"+id.String(), viewer.From(ctx)
	if _, err := r.source(v, e, id, name, "", nil).Read(ctx, reader); err != nil {
		return nil, err
	}
	members, err := r.Store.Members(ctx, name)
	sorted(members)
	return r.shown(v, members), unavailable(err)
}

// shown are the members as the viewer is shown them: of which user each is, to callers
// who can read all users, and to that user.
func (r *Rooms) shown(v *viewer.Viewer, members []Member) []Member {
	all := v.Authenticated()
	for _, e := range r.Entities {
		if e.Name == r.Users {
			all = e.Rules.Read.For(v).Always()
		}
	}
	if all {
		return members
	}
	members = slices.Clone(members)
	for i := range members {
		if members[i].UserID != v.UserID {
			members[i].UserID = 0
		}
	}
	return members
}

// Say has the member with the token say the state of itself, an object of JSON. Only
// the caller whose stream it is may, while that is open.
func (r *Rooms) Say(ctx context.Context, token string, state []byte) error {
	v := viewer.From(ctx)
	if err := v.MayChange(); err != nil {
		return err
	}
	gone := problem.New(problem.NotFound, "no stream with this token is open")
	head, _, _ := strings.Cut(token, ".")
	name, err := base64.RawURLEncoding.DecodeString(head)
	if err != nil {
		return gone
	}
	of, _, _ := strings.Cut(string(name), ":")
	e := r.Entity(func(e *entity.Entity) bool { return e.Name == of })
	if e == nil {
		return gone
	}
	said, err := e.Presence.State(state)
	if err != nil {
		return err
	}
	member := idOf(token)
	took, err := r.Limiter.Take(ctx, ratelimit.Key{Scope: "presence " + member + " "}, rate, 1)
	if err != nil {
		return unavailable(err)
	}
	if !took.Allowed {
		over := problem.New(problem.RateLimited, "too much is said: %d times in a second are allowed", rate.Count)
		over.RetryAfter = took.RetryAfter
		return over
	}
	is, err := r.Store.Say(ctx, string(name), member, who(v), said)
	if err != nil {
		return unavailable(err)
	}
	if !is {
		return gone
	}
	r.Bus.Wake(topic(string(name)))
	return nil
}

// Entity returns the first entity with a presence of which it holds, nil for none.
func (r *Rooms) Entity(is func(*entity.Entity) bool) *entity.Entity {
	for _, e := range r.Entities {
		if e.Presence != nil && is(e) {
			return e
		}
	}
	return nil
}

// idOf is the public id of a token. It does not allow to set the member's state.
func idOf(token string) string {
	sum := sha256.Sum256([]byte(token))
	return base64.RawURLEncoding.EncodeToString(sum[:9])
}

// who names the caller, whatever their rights are.
func who(v *viewer.Viewer) string { return fmt.Sprintf("%d %d", v.UserID, v.KeyID) }

// topic is that of wake-ups when the members are others.
func topic(name string) string { return "presence " + name }

// unavailable is the error where Redis is away.
func unavailable(err error) error {
	if err == nil || problem.As(err) != nil {
		return err
	}
	return problem.Wrap(err, problem.Unavailable, "who looks at rows is not known now: try again")
}
