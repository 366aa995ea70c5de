package read

import (
	"bytes"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/lifecycle"
	"github.com/entwine-go/entwine/kit/policy"
)

// mutationMember is the member of an offer that GraphQL alone has: REST has the method and
// the path.
const mutationMember = "mutation"

// offered is the rule for the rows of which the viewer of the statement is offered it.
func (b *builder) offered(e *entity.Entity, o *entity.Offer) policy.Rule {
	if o.Ending != nil && o.Ending.State(time.Now()) == lifecycle.Retired || b.viewer.MayChange() != nil {
		return policy.Rule{}
	}
	rule := o.Rule
	if o.Verb != "" {
		may := e.Rules.May(b.viewer, o.Verb)
		if may.Never() {
			return may
		}
		rule = policy.Both(rule, may)
	}
	if !e.Rules.SoftDelete || rule.Never() {
		return rule
	}
	if o.Deleted {
		return policy.Both(policy.Not(policy.Null("deleted_at")), rule)
	}
	if !e.Rules.SeesDeleted(b.viewer) { // no row is shown that is about to go with another
		return policy.Both(policy.Null("deleted_at"), rule)
	}
	return policy.Both(e.Rules.There(), rule)
}

// offers writes what the offers are shown by: a digit for each, and what stands
// for the row's id.
func (b *builder) offers(alias string, f *entity.Field) {
	e := f.Of
	b.WriteString("(")
	for i := range f.Offers {
		switch rule := b.offered(e, &f.Offers[i]); {
		case rule.Never():
			b.WriteString("'0'")
		case rule.Always():
			b.WriteString("'1'")
		default:
			b.WriteString("CASE WHEN ")
			rule.Write(b, alias)
			b.WriteString(" THEN '1' ELSE '0' END")
		}
		b.WriteString(" || ")
	}
	key := e.Key
	if key == nil {
		key = e.ID()
	}
	b.column(alias, key.Column)
	b.WriteString(")")
}

// may writes whether the viewer of the statement may do to the row what the field
// is about.
func (b *builder) may(alias string, f *entity.Field) {
	switch rule := b.offered(f.Of, f.May); {
	case rule.Never():
		b.WriteString("FALSE")
	case rule.Always():
		b.WriteString("TRUE")
	default:
		b.WriteString("CASE WHEN ")
		rule.Write(b, alias)
		b.WriteString(" THEN TRUE ELSE FALSE END")
	}
}

// appendOffers appends those that are offered, as a list of objects.
func appendOffers(dst []byte, sel *Selection, f *entity.Field, text []byte, parts []ObjectPart) []byte {
	if len(text) < len(f.Offers) {
		return append(dst, "[]"...)
	}
	id, names := text[len(f.Offers):], sel.paths()
	base := names.base()
	if n, err := strconv.ParseInt(string(id), 10, 64); err == nil && names.global() && f.Of.Key == nil && f.Of.ID().Kind == entity.ID {
		id = gid.Append(nil, f.Of.Name, n)
	} else if names.global() && f.Of.Key == nil && f.Of.ID().Kind != entity.ID {
		id = gid.AppendText(nil, f.Of.Name, id)
	} else if bytes.ContainsFunc(id, func(r rune) bool { return r < '0' || r > '9' }) {
		id = []byte(url.PathEscape(string(id)))
	}
	dst = append(dst, '[')
	first := true
	for i := range f.Offers {
		if text[i] != '1' {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = appendOffer(dst, &f.Offers[i], base, id, parts)
	}
	return append(dst, ']')
}

func appendOffer(dst []byte, o *entity.Offer, base string, id []byte, parts []ObjectPart) []byte {
	dst = append(dst, '{')
	for i, part := range parts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendText(dst, part.Key), ':')
		switch {
		case part.Raw != "":
			dst = append(dst, part.Raw...)
		case part.Member.Name == "name":
			dst = appendText(dst, o.Name)
		case part.Member.Name == "method":
			dst = appendText(dst, o.Method)
		case part.Member.Name == mutationMember && o.Mutation == "":
			dst = append(dst, "null"...)
		case part.Member.Name == mutationMember:
			dst = appendText(dst, o.Mutation)
		default:
			dst = appendText(dst, base+o.Before+string(id)+o.After)
		}
	}
	return append(dst, '}')
}

// related reports whether something is offered that may change without the row.
func related(f *entity.Field) bool {
	if f.May != nil && f.Of.Rules.Verbs[f.May.Verb].Relates() {
		return true
	}
	return slices.ContainsFunc(f.Offers, func(o entity.Offer) bool { return o.Rule.Relates() })
}
