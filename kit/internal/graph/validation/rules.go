package validation

import (
	"math"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/core"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// Rules are the rules of validation, each of which finds a number of errors and
// no more: two fields that conflict are one, but three hundred are 45,000.
func Rules(hideSchema bool) *rules.Rules {
	all := rules.NewDefaultRules()
	suggestLittle(all, hideSchema)
	all.AddRule("UniqueLabels", uniqueLabels)
	all.AddRule("UnconditionalRoot", unconditionalRoot)
	all.ReplaceRule(rules.NoUnusedVariablesRule.Name, unusedOnce)
	all.ReplaceRule(rules.OverlappingFieldsCanBeMergedRule.Name, mergedFirst(rules.OverlappingFieldsCanBeMergedRule.RuleFunc))
	for name, rule := range all.GetInner() {
		all.ReplaceRule(name, func(observers *core.Events, addError core.AddErrFunc) {
			found := 0
			rule(observers, func(options ...core.ErrorOption) {
				if found++; found <= maxErrors {
					addError(options...)
				}
			})
		})
	}
	return all
}

// suggesting are the rules that suggest names, with what they are without that.
// To find a name, a rule compares what was written with all that could be meant.
var suggesting = []struct{ loud, silent core.Rule }{
	{rules.FieldsOnCorrectTypeRule, rules.FieldsOnCorrectTypeRuleWithoutSuggestions},
	{rules.KnownArgumentNamesRule, rules.KnownArgumentNamesRuleWithoutSuggestions},
	{rules.KnownTypeNamesRule, rules.KnownTypeNamesRuleWithoutSuggestions},
	{rules.ScalarLeafsRule, rules.ScalarLeafsRuleWithoutSuggestions},
	{inRange(rules.ValuesOfCorrectTypeRule), inRange(rules.ValuesOfCorrectTypeRuleWithoutSuggestions)},
}

// suggestLittle keeps the rules from suggesting names in documents that are
// long, or in all where the schema is hidden. Of those for a hidden schema
// gqlgen's executor adds two by itself, unless they are there by their own names.
func suggestLittle(all *rules.Rules, hideSchema bool) {
	for _, rule := range suggesting {
		if hideSchema {
			all.RemoveRule(rule.loud.Name)
			all.AddRule(rule.silent.Name, rule.silent.RuleFunc)
			continue
		}
		all.ReplaceRule(rule.loud.Name, apart(func(document *ast.QueryDocument) (core.RuleFunc, *ast.QueryDocument) {
			if length(document) > maxSuggesting {
				return rule.silent.RuleFunc, document
			}
			return rule.loud.RuleFunc, document
		}))
	}
}

// length returns how many bytes the text of a document has.
func length(document *ast.QueryDocument) int {
	for _, operation := range document.Operations {
		return len(operation.Position.Src.Input)
	}
	for _, fragment := range document.Fragments {
		return len(fragment.Position.Src.Input)
	}
	return 0
}

// apart returns the rule that choose says, for the document that it says, once
// it has seen the one that is validated: that is walked for it alone. A walk
// begins with the directives of an operation or a fragment, also where there are
// none, so that these errors are the first.
func apart(choose func(*ast.QueryDocument) (core.RuleFunc, *ast.QueryDocument)) core.RuleFunc {
	return func(observers *core.Events, addError core.AddErrFunc) {
		walked := false
		observers.OnDirectiveList(func(w *core.Walker, _ []*ast.Directive) {
			if walked {
				return
			}
			walked = true
			rule, document := choose(w.Document)
			events := &core.Events{}
			rule(events, addError)
			core.Walk(w.Schema, document, events)
		})
	}
}

// unusedOnce does not call a variable unused whose name is declared twice and used: that
// two are named so is an error by itself, and only the first counts as used.
func unusedOnce(observers *core.Events, addError core.AddErrFunc) {
	observers.OnOperation(func(_ *core.Walker, operation *ast.OperationDefinition) {
		used := make(map[string]bool)
		for _, v := range operation.VariableDefinitions {
			v.Used = v.Used || used[v.Variable]
			used[v.Variable] = v.Used
		}
	})
	rules.NoUnusedVariablesRule.RuleFunc(observers, addError)
}

// inRange is the rule for values, before which numbers are refused that are out of
// range: of Int, whose range gqlparser looks at in variables alone, and of what Go can
// hold, where gqlparser calls the number and all that it stands in of the wrong type, or
// panics. One that is refused is 0 for the rule, so that it is one error. The
// document is not run and not kept.
func inRange(values core.Rule) core.Rule {
	return core.Rule{Name: values.Name, RuleFunc: func(observers *core.Events, addError core.AddErrFunc) {
		observers.OnValue(func(_ *core.Walker, value *ast.Value) {
			if says := outOfRange(value); says != nil {
				addError(says, core.At(value.Position))
				value.Kind, value.Raw = ast.IntValue, "0"
			}
		})
		values.RuleFunc(observers, addError)
	}}
}

// outOfRange says which numbers there are where the value is another one.
func outOfRange(value *ast.Value) core.ErrorOption {
	switch value.Kind {
	case ast.IntValue:
		bits := 64
		if value.Definition != nil && value.Definition.Name == "Int" {
			bits = 32
		}
		if _, err := strconv.ParseInt(value.Raw, 10, bits); err != nil {
			least := int64(-1) << (bits - 1)
			return core.Message("Int takes whole numbers from %d to %d only", least, -(least + 1))
		}
	case ast.FloatValue:
		if _, err := strconv.ParseFloat(value.Raw, 64); err != nil {
			return core.Message("Float takes numbers up to %g only", math.MaxFloat64)
		}
	}
	return nil
}
