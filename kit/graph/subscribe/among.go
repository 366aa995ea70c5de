package subscribe

import (
	"context"
	"slices"
	"sync"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/events"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
)

// among finds those of an audience for whom an event may be another one than for the
// rest: the rules that admit its row, and the row that the subscription is about, compare
// the users' ids with columns of these rows.
type among struct {
	row, of []policy.Owned

	mu     sync.Mutex
	owners map[int64]*owners // by the event's number
	order  []int64
}

// owners are the users whom the columns name, once they are read.
type owners struct {
	once sync.Once
	ids  []int64
	err  error
}

// among returns the columns by which viewers with the same readable rows are grouped, nil
// where that takes more than ids in columns, or the viewer is no user.
func (s *subscription) among(v *viewer.Viewer) *among {
	if v.UserID == 0 || v.System || v.Tenant != 0 {
		return nil
	}
	row, known := s.Entity.Rules.Owners()
	var of []policy.Owned
	if s.Of != nil && known {
		of, known = s.Of.Rules.Owners()
	}
	if !known {
		return nil
	}
	p := s.Reads.Planner(viewer.With(context.Background(), stranger(v)), s.op)
	selection, err := p.Selection(s.Entity, s.field.Selections)
	if err != nil {
		return nil
	}
	shown, known := selection.Owners()
	if !known {
		return nil
	}
	return &among{row: append(row, shown...), of: of, owners: make(map[int64]*owners)}
}

// stranger is a viewer with the rights of v whom no row names.
func stranger(v *viewer.Viewer) *viewer.Viewer {
	other := *v
	other.UserID, other.SessionID = viewer.NoUser, ""
	return &other
}

// names reports whether one of the rows names the user. It reads them once for an event.
func (a *among) names(ctx context.Context, s *subscription, e *events.Event, user int64) (bool, error) {
	o := a.event(e.Number())
	o.once.Do(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.RequestTime)
		defer cancel()
		read := func(of *entity.Entity, id gid.ID, columns []policy.Owned) {
			ids, err := s.Reads.Reader.Owners(ctx, of, id, columns)
			if o.ids = append(o.ids, ids...); err != nil {
				o.err = err
			}
		}
		read(s.Entity, e.EntityID, a.row)
		if s.Of != nil && (s.Of != s.Entity || s.row != e.EntityID) {
			read(s.Of, s.row, a.of)
		}
	})
	return slices.Contains(o.ids, user), o.err
}

// event is the cached result for the event with the number.
func (a *among) event(event int64) *owners {
	a.mu.Lock()
	defer a.mu.Unlock()
	if known := a.owners[event]; known != nil {
		return known
	}
	if len(a.order) == keptReads {
		delete(a.owners, a.order[0])
		a.order = a.order[1:]
	}
	o := new(owners)
	a.owners[event], a.order = o, append(a.order, event)
	return o
}
