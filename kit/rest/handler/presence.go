package handler

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/presence"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/rest/negotiate"
	"github.com/entwine-go/entwine/kit/web"
)

// member is a member of a row's presence as the version shows it.
func (d *Door) member(x *Exchange, m *presence.Member) json.RawMessage {
	text := append([]byte(`{"id":`), strconv.Quote(m.ID)...)
	text = append(appendKey(text, x.Version.Word("user_id")), "null"...)
	if m.UserID != 0 {
		text = appendID(text[:len(text)-len("null")], x.Version.IDs.Show(d.Rooms.Users, gid.Int(m.UserID)))
	}
	return append(append(appendKey(text, "state"), m.State...), '}')
}

// ReadPresence answers GET /presence with the members of a row's presence: those of
// now, or, as events, their changes for as long as the client listens. The client is
// a member meanwhile.
func (d *Door) ReadPresence(ctx context.Context, w http.ResponseWriter) error {
	x := From(ctx)
	e, id, err := d.attended(ctx)
	if err != nil {
		return err
	}
	if x.Media != negotiate.Events {
		members, err := d.Rooms.Read(ctx, d.Reader, e, id)
		if err != nil {
			return err
		}
		items := make([]json.RawMessage, len(members))
		for i := range members {
			items[i] = d.member(x, &members[i])
		}
		return x.AnswerItems(w, Items{Items: items, Noun: "members", Count: len(items), Columns: []string{"id", x.Version.Word("user_id"), "state"}})
	}
	if x.Request.Method == http.MethodHead {
		w.Header().Set("Content-Type", negotiate.Events+"; charset=utf-8")
		return nil
	}
	stream, done := web.Stream(x.Request.Context(), w)
	defer done()
	request := x.Request.WithContext(stream)
	x = x.kept()
	return d.Streams.ServeFeed(w, request, func(ctx context.Context) (Feed, error) {
		f, err := d.Rooms.Open(ctx, e, id, "rest "+x.Base, func(m *presence.Member) []read.View { return []read.View{{JSON: d.member(x, m)}} })
		if err != nil {
			return nil, err
		}
		return &looking{feed{Exchange: x, follower: f.Follower}, f, e, false}, nil
	})
}

// attended is the row whose presence the query asks for.
func (d *Door) attended(ctx context.Context) (*entity.Entity, gid.ID, error) {
	x := From(ctx)
	if d.Rooms == nil || d.Streams == nil {
		return nil, gid.ID{}, problem.New(problem.Unavailable, "who looks at rows is not shown here")
	}
	query := x.Request.URL.Query()
	e := d.Rooms.Entity(func(e *entity.Entity) bool { return e.Path == query.Get("entity") }) // the document has judged it
	if e == nil {
		return nil, gid.ID{}, problem.Inputs(problem.Invalidf("entity", query.Get("entity"), "must be an entity whose rows show who looks at them"))
	}
	id, err := e.IDs().Unmarshal(query.Get("id"))
	if err != nil {
		return nil, gid.ID{}, problem.Inputs(problem.Invalidf("id", query.Get("id"), "%v", err))
	}
	return e, id, x.Admit(ctx, e)
}

// SayPresence has a member say something of itself: POST /presence.
func (d *Door) SayPresence(ctx context.Context, w http.ResponseWriter) error {
	if d.Rooms == nil {
		return problem.New(problem.Unavailable, "who looks at rows is not shown here")
	}
	var said struct {
		Token string          `json:"token"`
		State json.RawMessage `json:"state"`
	}
	if err := json.Unmarshal(From(ctx).Body, &said); err != nil {
		return problem.Inputs(problem.Invalidf("body", nil, "must be an object with token and state"))
	}
	if err := d.Rooms.Say(ctx, said.Token, said.State); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// looking is a presence as an event stream.
type looking struct {
	feed
	presence *presence.Follower
	row      *entity.Entity
	begun    bool
}

// Close implements [Feed].
func (l *looking) Close() { l.presence.Close() }

// End implements [Feed]: where no error is the reason, the row can't be read any more.
func (l *looking) End(ctx context.Context, err error) []byte {
	if err == nil {
		err = read.NotFound(l.row)
	}
	return l.feed.End(ctx, err)
}

// Next implements [Feed]. The first event has the token for setting the client's
// own state.
func (l *looking) Next(ctx context.Context) ([]byte, error) {
	b := make([]byte, 0, 512)
	if !l.begun && l.presence.Member != nil {
		b = append(b, "event: joined\ndata: {\"token\":"+strconv.Quote(l.presence.Token)+",\"id\":"+strconv.Quote(l.presence.Member.ID)+"}\n\n"...)
	}
	l.begun = true
	u, err := l.presence.Next(ctx)
	if err != nil {
		return nil, err
	}
	return l.text(b, &u), nil
}
