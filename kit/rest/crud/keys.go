package crud

import (
	"context"
	"net/http"
	"slices"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/idempotency"
)

// Again answers the repetition of a request from its outcome.
type Again = func(context.Context, http.ResponseWriter, idempotency.Outcome) error

// Keys configures Idempotency-Keys: the lists are of operationIds, as in
// rest.Keys.
type Keys struct {
	Split, Found, Bodies []string
	Again                map[string]Again
}

// Keys are those of the operations.
func (a *API) Keys() Keys {
	k := Keys{Again: map[string]Again{}}
	for id, o := range a.Operations {
		switch o.Op {
		case Mark:
			k.Bodies = append(k.Bodies, id)
		case CreateMany, ActMany:
			k.Again[id] = a.manyAgain(o)
		case Act:
			k.add(id, o, a)
		}
	}
	for _, list := range [][]string{k.Split, k.Found, k.Bodies} {
		slices.Sort(list)
	}
	return k
}

func (k *Keys) add(id string, o *Operation, a *API) {
	action := o.action(a.written(o))
	if action.Reads() {
		return
	}
	if action.Action.Run == expose.OutsideTx {
		k.Split = append(k.Split, id)
	}
	switch answer := action.Answer; {
	case answer.Job != "":
		k.Again[id] = a.acceptedAgain(answer.Job)
	case len(answer.Members) > 0:
		k.Bodies = append(k.Bodies, id)
	case answer.Found:
		k.Found = append(k.Found, id)
	}
}
