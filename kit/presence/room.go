package presence

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// room is a row whose presence is followed in this process: its members are read when
// one comes, leaves or says something, for all who follow it.
type room struct {
	*Rooms
	name  string
	users int // under Rooms.mu
	stop  context.CancelFunc
	now   atomic.Pointer[[]Member]

	reading   sync.Mutex // so that no members are shown after later ones
	mu        sync.Mutex
	own       map[string]*Member // those whose streams this process has
	listeners map[*func()]bool
	failing   bool
}

// enter returns the room, which is read from now on. Its users leave it.
func (r *Rooms) enter(name string) *room {
	r.mu.Lock()
	defer r.mu.Unlock()
	one := r.rooms[name]
	if one == nil {
		ctx, stop := context.WithCancel(context.Background())
		one = &room{Rooms: r, name: name, stop: stop, own: map[string]*Member{}, listeners: map[*func()]bool{}}
		if r.rooms == nil {
			r.rooms = map[string]*room{}
		}
		r.rooms[name] = one
		woken, deaf := r.Bus.Listen(topic(name))
		go func() {
			defer deaf()
			one.run(ctx, woken)
		}()
	}
	one.users++
	return one
}

// leave ends the room where it has no users any more.
func (o *room) leave() {
	o.Rooms.mu.Lock()
	defer o.Rooms.mu.Unlock()
	if o.users--; o.users == 0 {
		delete(o.rooms, o.name)
		o.stop()
	}
}

// members are those of the room, as they were read last.
func (r *Rooms) members(name string) []Member {
	r.mu.Lock()
	one := r.rooms[name]
	r.mu.Unlock()
	if one == nil {
		return nil
	}
	if now := one.now.Load(); now != nil {
		return *now
	}
	return nil
}

// run reads the members until ctx ends.
func (o *room) run(ctx context.Context, woken <-chan struct{}) {
	beats := time.NewTicker(beat)
	defer beats.Stop()
	for {
		o.read(ctx)
		rest := time.NewTimer(pace)
		select {
		case <-ctx.Done():
			rest.Stop()
			return
		case <-rest.C:
		}
		select {
		case <-ctx.Done():
			return
		case <-woken:
		case <-beats.C:
			o.keep(ctx)
		}
	}
}

// read reads the members, and has the listeners look at them. Where the store is away
// they stay as they were.
func (o *room) read(ctx context.Context) {
	o.reading.Lock()
	defer o.reading.Unlock()
	members, err := o.Store.Members(ctx, o.name)
	if err != nil {
		o.failed(ctx, err)
		return
	}
	sorted(members)
	o.now.Store(&members)
	o.mu.Lock()
	o.failing = false
	all := make([]func(), 0, len(o.listeners))
	for l := range o.listeners {
		all = append(all, *l)
	}
	o.mu.Unlock()
	for _, changed := range all {
		changed()
	}
}

// sorted puts members in the order in which they came.
func sorted(members []Member) {
	slices.SortFunc(members, func(a, b Member) int {
		return cmp.Or(cmp.Compare(a.Since, b.Since), strings.Compare(a.ID, b.ID))
	})
}

func (o *room) failed(ctx context.Context, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.failing && ctx.Err() == nil && o.Log != nil {
		o.Log.WarnContext(ctx, "who looks at rows can't be read: it stays as it was", "err", err)
	}
	o.failing = true
}

// listen calls changed each time that the members have been read.
func (o *room) listen(changed func()) (stop func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.listeners[&changed] = true
	return func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		delete(o.listeners, &changed)
	}
}

// join adds a member of this process.
func (o *room) join(ctx context.Context, m *Member) error {
	if err := o.Store.Join(ctx, o.name, m); err != nil {
		return unavailable(err)
	}
	o.mu.Lock()
	o.own[m.ID] = m
	o.mu.Unlock()
	o.read(ctx) // so that the member itself is among the first that it is shown
	o.Bus.Wake(topic(o.name))
	return nil
}

// part takes a member of this process away. Where the store is away the member leaves
// by not being kept.
func (o *room) part(m *Member) {
	o.mu.Lock()
	delete(o.own, m.ID)
	o.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := o.Store.Leave(ctx, o.name, m.ID); err != nil {
		o.failed(ctx, err)
		return
	}
	o.Bus.Wake(topic(o.name))
}

// keep says that the members of this process are there: those that the store has lost
// come again.
func (o *room) keep(ctx context.Context) {
	o.mu.Lock()
	all := make([]*Member, 0, len(o.own))
	for _, m := range o.own {
		all = append(all, m)
	}
	o.mu.Unlock()
	said := map[string]Member{}
	for _, m := range o.members(o.name) {
		said[m.ID] = m
	}
	for _, m := range all {
		again := *m
		if last, known := said[m.ID]; known {
			again.State = last.State
		}
		if err := o.Store.Join(ctx, o.name, &again); err != nil {
			o.failed(ctx, err)
			return
		}
	}
}
