package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/template"
)

// run is a test that is run.
type run struct {
	test
	rules         []rulefmt.Rule
	every         time.Duration
	fired, silent map[string]bool

	store  memory
	active map[string]map[string]time.Time // of each alert, since when, by its labels
}

// firing is an alert that fires.
type firing struct{ labels, annotations map[string]string }

func (r *run) run(ctx context.Context) (problems []string, err error) {
	r.active = map[string]map[string]time.Time{}
	named, last := map[string]bool{}, time.Duration(0)
	for _, w := range r.Alerts {
		named[w.Alertname], last = true, max(last, time.Duration(w.At))
	}
	for _, in := range r.InputSeries {
		of, values, err := parser.ParseSeriesDesc(in.Series + " " + in.Values)
		if err != nil {
			return nil, err
		}
		for i, v := range values {
			if !v.Omitted {
				r.store.add(of, int64(i)*time.Duration(r.Interval).Milliseconds(), v.Value)
			}
		}
	}
	for at := time.Duration(0); at <= last; at += r.every {
		now, fire := time.UnixMilli(0).Add(at), map[string][]firing{}
		for _, rule := range r.rules {
			if rule.Alert != "" && !named[rule.Alert] {
				continue
			}
			if fire[rule.Alert], err = r.eval(ctx, rule, now); err != nil {
				return nil, err
			}
		}
		for _, w := range r.Alerts {
			if time.Duration(w.At) == at {
				problems = append(problems, r.compare(w, fire[w.Alertname])...)
			}
		}
	}
	return problems, nil
}

// eval evaluates a rule, and returns what fires.
func (r *run) eval(ctx context.Context, rule rulefmt.Rule, now time.Time) (fire []firing, err error) {
	q, err := engine.NewInstantQuery(ctx, &r.store, nil, rule.Expr, now)
	if err != nil {
		return nil, err
	}
	defer q.Close()
	result := q.Exec(ctx)
	if result.Err != nil {
		return nil, result.Err
	}
	vector, err := vectorOf(result)
	if err != nil {
		return nil, err
	}
	if rule.Record != "" {
		for _, s := range vector {
			r.store.add(labelsOf(map[string]string{"__name__": rule.Record}, labelsOf(rule.Labels, s.Metric)), now.UnixMilli(), s.F)
		}
		return nil, nil
	}
	was, is := r.active[rule.Alert], map[string]time.Time{}
	for _, s := range vector {
		key := s.Metric.String()
		since, ok := was[key]
		if !ok {
			since = now
		}
		is[key] = since
		if now.Sub(since) >= time.Duration(rule.For) {
			f, err := r.expand(ctx, rule, s, now)
			if err != nil {
				return nil, err
			}
			fire = append(fire, f)
		}
	}
	r.active[rule.Alert] = is
	return fire, nil
}

func vectorOf(result *promql.Result) (promql.Vector, error) {
	if scalar, err := result.Scalar(); err == nil {
		return promql.Vector{{F: scalar.V}}, nil
	}
	return result.Vector()
}

// expand fills in the templates of what fires.
func (r *run) expand(ctx context.Context, rule rulefmt.Rule, s promql.Sample, now time.Time) (f firing, err error) {
	own := s.Metric.Map()
	delete(own, "__name__")
	data := template.AlertTemplateData(own, nil, "", s)
	fill := func(texts map[string]string) (map[string]string, error) {
		all := map[string]string{}
		for name, text := range texts {
			const names = "{{$labels := .Labels}}{{$value := .Value}}"
			e := template.NewTemplateExpander(ctx, names+text, rule.Alert, data, 0, nil, nil, nil)
			if all[name], err = e.Expand(); err != nil {
				return nil, err
			}
		}
		return all, nil
	}
	if f.annotations, err = fill(rule.Annotations); err != nil {
		return f, err
	}
	more, err := fill(rule.Labels)
	if err != nil {
		return f, err
	}
	f.labels = labelsOf(more, labels.FromMap(own)).Map()
	return f, nil
}

// compare says what differs from what is wanted.
func (r *run) compare(w want, fire []firing) (problems []string) {
	if len(fire) == 0 {
		r.silent[w.Alertname] = true
	} else {
		r.fired[w.Alertname] = true
	}
	var got, wanted []string
	for i, f := range fire {
		annotations := f.annotations
		if i < len(w.Alerts) && w.Alerts[i].Annotations == nil {
			annotations = nil
		}
		got = append(got, fmt.Sprintf("%v %v", f.labels, annotations))
	}
	for _, a := range w.Alerts {
		wanted = append(wanted, fmt.Sprintf("%v %v", a.Labels, a.Annotations))
	}
	slices.Sort(got)
	slices.Sort(wanted)
	if !slices.Equal(got, wanted) {
		problems = append(problems, fmt.Sprintf("%s: %s at %s:\n  fires %q\n  want  %q", r.Name, w.Alertname, time.Duration(w.At), got, wanted))
	}
	return problems
}
