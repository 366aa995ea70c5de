// Package facts has the facts about schemas that only a running program knows,
// beside those of Ent's loader: their description of the service as a whole, the
// conditions of their policies, and whether the defaults of their fields pass the
// fields' own validators. A program that imports the schemas writes them down
// ([Write]); the generator reads them.
package facts

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/internal/bounds"
	"github.com/entwine-go/entwine/kit/policy"
)

// Facts describe a package of schemas.
type Facts struct {
	// Service is nil where the package says nothing of it.
	Service  *expose.Service `json:"service,omitempty"`
	Entities []Entity        `json:"entities"`
}

// Entity describes one schema.
type Entity struct {
	Name string `json:"name"`
	// Rules is set where the policy is of this kit.
	Rules *Rules `json:"rules,omitempty"`
	// Mixed is set where rules of mixins, or rules by hand, are among them.
	Mixed bool `json:"mixed,omitempty"`
	// Partial is set where a mixin has a policy beside that is none of the kit's.
	Partial bool `json:"partial,omitempty"`
	// Hooked is set where the schema, or one of its mixins, has hooks that are not the
	// kit's, or rules of ent/privacy for mutations, which are asked as hooks are.
	Hooked bool `json:"hooked,omitempty"`
	// Kept lists the rows that its hooks keep: see policy.KeepOne.
	Kept []policy.Kept `json:"kept,omitempty"`
	// Attach are the rules of policy.Attach, by the edges.
	Attach map[string]policy.Rule `json:"attach,omitempty"`
	// Resources are the paths of every expose.Resource among its annotations and those
	// of its mixins.
	Resources []string `json:"resources,omitempty"`
	// Refused are defaults that validators refuse.
	Refused []Refusal `json:"refused,omitempty"`
	// Bounds are those that Ent's validators of fields set, by the names of the fields.
	Bounds map[string]expose.Field `json:"bounds,omitempty"`
	// Unheld lists parts of a schema that hold in Ent's client and in no API.
	Unheld []Unheld `json:"unheld,omitempty"`
}

// Unheld is a method of a schema, or of one of its mixins, that Ent's client calls
// and the engines behind the APIs do not.
type Unheld struct {
	// Method is Policy or Interceptors, and Mixin the type that has it: "Audited",
	// "audit.Mixin" where it is of another package, empty for the schema itself.
	Method string `json:"method"`
	Mixin  string `json:"mixin,omitempty"`
	// Type is the type of the result of Policy, and Reads is set where it has rules
	// for queries.
	Type  string `json:"type,omitempty"`
	Reads bool   `json:"reads,omitempty"`
}

// Rules is a policy.
type Rules struct {
	SoftDelete bool `json:"soft_delete,omitempty"`
	// With are the rows with which the entity's are deleted.
	With policy.With `json:"with"`
	// Terms are those of all rules, without repetition.
	Terms []policy.Term `json:"terms,omitempty"`
	// Verbs are those that have a rule.
	Verbs []string `json:"verbs,omitempty"`
	// Read and Allowed are the rules themselves, the latter by their verbs.
	Read    policy.Rule            `json:"read"`
	Allowed map[string]policy.Rule `json:"allowed,omitempty"`
}

// Refusal is a default that the field itself refuses.
type Refusal struct {
	Field  string `json:"field"`
	Reason string `json:"reason"`
}

// Write writes what there is to tell of the schemas, and what they say of the
// service, if anything.
func Write(w io.Writer, service *expose.Service, schemas ...ent.Interface) error {
	all := Facts{Service: service}
	for _, s := range schemas {
		all.Entities = append(all.Entities, of(s))
	}
	return json.NewEncoder(w).Encode(all)
}

// Read reads what [Write] wrote.
func Read(text []byte) (all Facts, err error) { return all, json.Unmarshal(text, &all) }

func of(s ent.Interface) Entity {
	e := Entity{Name: reflect.Indirect(reflect.ValueOf(s)).Type().Name()}
	if rules, ok := policy.Find(s); ok {
		e.Rules = rulesOf(rules)
		e.Mixed = rules.ByHand() || slices.ContainsFunc(s.Mixin(), func(m ent.Mixin) bool { return m.Policy() != nil })
		e.Hooked = rules.ByHand()
	} else if rules, ok := policy.AsRules(s.Policy()); ok {
		e.Rules, e.Partial = rulesOf(rules), true
	}
	e.Unheld, e.Hooked = unheld(s), e.Hooked || slices.ContainsFunc(hooks(s), foreign)
	for _, h := range hooks(s) {
		if k, ok := policy.KeptBy(h); ok {
			e.Kept = append(e.Kept, k)
		}
	}
	fields, annotations := slices.Clone(s.Fields()), []schema.Annotation(nil)
	for _, m := range s.Mixin() {
		fields, annotations = append(fields, m.Fields()...), append(annotations, m.Annotations()...)
	}
	for _, a := range append(annotations, s.Annotations()...) {
		if r, ok := a.(expose.Resource); ok {
			e.Resources = append(e.Resources, r.Path)
		}
	}
	e.Attach = policy.Attachings(s)
	for _, f := range fields {
		d := f.Descriptor()
		if err := tryDefault(d); err != nil {
			e.Refused = append(e.Refused, Refusal{Field: d.Name, Reason: err.Error()})
		}
		if b := bounds.Of(d); b.Says() != "" && d.Name != "id" {
			if e.Bounds == nil {
				e.Bounds = map[string]expose.Field{}
			}
			e.Bounds[d.Name] = b.Field()
		}
	}
	return e
}

// kits is how the names of the kit's functions begin.
var kits = strings.TrimSuffix(reflect.TypeFor[Entity]().PkgPath(), "codegen/facts")

// hooks are those of the schema and its mixins.
func hooks(s ent.Interface) []ent.Hook {
	all := slices.Clone(s.Hooks())
	for _, m := range s.Mixin() {
		all = append(all, m.Hooks()...)
	}
	return all
}

// foreign reports whether the hook is not the kit's.
func foreign(h ent.Hook) bool {
	return !strings.HasPrefix(runtime.FuncForPC(reflect.ValueOf(h).Pointer()).Name(), kits)
}

// unheld lists the policies that read by hand, those that no policy.Rules stand beside,
// and interceptors.
func unheld(s ent.Interface) (all []Unheld) {
	_, ruled := policy.Find(s)
	if p := s.Policy(); p != nil {
		reads := policy.ReadsByHand(p)
		if _, rules := policy.AsRules(p); reads || !rules && !ruled {
			all = append(all, Unheld{Method: "Policy", Type: fmt.Sprintf("%T", p), Reads: reads})
		}
	}
	if len(s.Interceptors()) > 0 {
		all = append(all, Unheld{Method: "Interceptors"})
	}
	for _, m := range s.Mixin() {
		name := mixinName(s, m)
		if policy.ReadsByHand(m.Policy()) {
			all = append(all, Unheld{Method: "Policy", Mixin: name, Type: fmt.Sprintf("%T", m.Policy()), Reads: true})
		}
		if len(m.Interceptors()) > 0 {
			all = append(all, Unheld{Method: "Interceptors", Mixin: name})
		}
	}
	return all
}

// mixinName is the mixin's type as the schema's package writes it.
func mixinName(s ent.Interface, m ent.Mixin) string {
	of, in := reflect.Indirect(reflect.ValueOf(m)).Type(), reflect.Indirect(reflect.ValueOf(s)).Type()
	if of.PkgPath() == in.PkgPath() {
		return of.Name()
	}
	return of.String()
}

func rulesOf(rules policy.Rules) *Rules {
	told := &Rules{SoftDelete: rules.SoftDelete, With: rules.With, Read: rules.Read, Allowed: rules.Verbs}
	add := func(rule policy.Rule) {
		for _, term := range rule.Terms() {
			if !slices.ContainsFunc(told.Terms, func(t policy.Term) bool { return reflect.DeepEqual(t, term) }) {
				told.Terms = append(told.Terms, term)
			}
		}
	}
	add(rules.Read)
	for verb := range rules.Verbs {
		told.Verbs = append(told.Verbs, verb)
	}
	slices.Sort(told.Verbs)
	for _, verb := range told.Verbs {
		add(rules.Verbs[verb])
	}
	return told
}

// tryDefault has the field's validators judge its default.
func tryDefault(d *field.Descriptor) error {
	if d.Default == nil {
		return nil
	}
	value := reflect.ValueOf(d.Default)
	if value.Kind() == reflect.Func {
		if value.Type().NumIn() != 0 || value.Type().NumOut() != 1 {
			return nil
		}
		value = value.Call(nil)[0]
	}
	if len(d.Enums) > 0 && !slices.ContainsFunc(d.Enums, func(e struct{ N, V string }) bool { return e.V == fmt.Sprint(value) }) {
		return fmt.Errorf("%v is none of the values", value)
	}
	for _, validator := range d.Validators {
		validate := reflect.ValueOf(validator)
		if validate.Kind() != reflect.Func || validate.Type().NumIn() != 1 || !value.CanConvert(validate.Type().In(0)) {
			continue
		}
		out := validate.Call([]reflect.Value{value.Convert(validate.Type().In(0))})
		if err, refused := reflect.TypeAssert[error](out[0]); refused {
			return err
		}
	}
	return nil
}
