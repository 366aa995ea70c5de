package store

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Replica is how a replica is.
type Replica struct {
	Name string
	// Why says why it is not used, empty while it is.
	Why string
	// Primary is set where it is no standby, but the primary itself.
	Primary bool
	// Age is how old what it shows is at most, negative where that is not known.
	Age time.Duration
	// Reads are the statements that it has answered.
	Reads int64
}

// Replicas returns how the replicas are, in the order of [Config.Replicas].
func (db *DB) Replicas() (all []Replica) {
	if db.replicas == nil {
		return nil
	}
	h, now := db.replicas.history.Load(), time.Now()
	for _, s := range db.replicas.all {
		one := Replica{Name: s.name, Age: -1, Reads: s.reads.Load()}
		if not := s.refusal(h, now); not != nil {
			one.Why, one.Primary = not.text, not.miss == MissPrimary
		}
		if h != nil {
			if age := h.age(s.last.Load().lsn, now); age <= replicaAge+lookTime {
				one.Age = age
			}
		}
		all = append(all, one)
	}
	return all
}

// Misses returns how many statements the primary has answered that replicas might have,
// by the reason.
func (db *DB) Misses() map[Miss]int64 {
	if db.replicas == nil {
		return nil
	}
	all := map[Miss]int64{}
	for m := range misses {
		all[m] = db.replicas.missed[m].Load()
	}
	return all
}

// ReplicasReady is an error that names the replicas which are not used. One that is the
// primary is not among them: it may be a standby again.
func (db *DB) ReplicasReady(context.Context) (err error) {
	for _, s := range db.Replicas() {
		if s.Why != "" && !s.Primary {
			err = errors.Join(err, fmt.Errorf("replica %s: %s", s.Name, s.Why))
		}
	}
	return err
}
