package expose

import (
	"encoding/json"

	"entgo.io/ent"
)

// Ent's loader hands annotations to the generator as JSON, and fields are
// builders of which JSON sees nothing: they go as [Sent].

type (
	plainAction Action
	sentAction  struct {
		*plainAction
		Input []*Sent `json:"input,omitempty"`
	}
	plainCalc Calc
	sentCalc  struct {
		*plainCalc
		Input []*Sent `json:"input,omitempty"`
	}
	plainBeside Beside
	sentBeside  struct {
		*plainBeside
		Input []*Sent `json:"input"`
	}
)

// MarshalJSON implements json.Marshaler.
func (a Action) MarshalJSON() ([]byte, error) {
	return json.Marshal(sentAction{(*plainAction)(&a), sent(a.Input)})
}

// UnmarshalJSON implements json.Unmarshaler: the fields of the input are [Sent].
func (a *Action) UnmarshalJSON(text []byte) error {
	s := sentAction{plainAction: (*plainAction)(a)}
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	a.Input = fields(s.Input)
	return nil
}

// MarshalJSON implements json.Marshaler.
func (c Calc) MarshalJSON() ([]byte, error) {
	return json.Marshal(sentCalc{(*plainCalc)(&c), sent(c.Input)})
}

// UnmarshalJSON implements json.Unmarshaler: the arguments are [Sent].
func (c *Calc) UnmarshalJSON(text []byte) error {
	s := sentCalc{plainCalc: (*plainCalc)(c)}
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	c.Input = fields(s.Input)
	return nil
}

// MarshalJSON implements json.Marshaler.
func (b Beside) MarshalJSON() ([]byte, error) {
	return json.Marshal(sentBeside{(*plainBeside)(&b), sent(b.Input)})
}

// UnmarshalJSON implements json.Unmarshaler: the fields of the input are [Sent].
func (b *Beside) UnmarshalJSON(text []byte) error {
	s := sentBeside{plainBeside: (*plainBeside)(b)}
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	b.Input = fields(s.Input)
	return nil
}

func sent(all []ent.Field) (described []*Sent) {
	for _, f := range all {
		described = append(described, NewSent(f))
	}
	return described
}

func fields(described []*Sent) (all []ent.Field) {
	for _, s := range described {
		all = append(all, s)
	}
	return all
}
