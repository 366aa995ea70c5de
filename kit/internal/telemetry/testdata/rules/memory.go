package main

import (
	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"github.com/prometheus/prometheus/tsdb/chunks"
	"github.com/prometheus/prometheus/util/annotations"
)

// memory keeps series in memory, as a [storage.Queryable].
type memory struct{ all []*series }

type series struct {
	of      labels.Labels
	samples []chunks.Sample
}

// sample is a number at a time in milliseconds.
type sample struct {
	at    int64
	value float64
}

func (m *memory) add(of labels.Labels, at int64, value float64) {
	for _, s := range m.all {
		if labels.Equal(s.of, of) {
			s.samples = append(s.samples, sample{at, value})
			return
		}
	}
	m.all = append(m.all, &series{of, []chunks.Sample{sample{at, value}}})
}

// Querier implements storage.Queryable.
func (m *memory) Querier(from, to int64) (storage.Querier, error) {
	return &storage.MockQuerier{SelectMockFunction: func(_ bool, _ *storage.SelectHints, matchers ...*labels.Matcher) storage.SeriesSet {
		found := &set{at: -1}
		for _, s := range m.all {
			if matches(s.of, matchers) {
				begin, end := 0, len(s.samples)
				for begin < end && s.samples[begin].T() < from {
					begin++
				}
				for end > begin && s.samples[end-1].T() > to {
					end--
				}
				found.all = append(found.all, storage.NewListSeries(s.of, s.samples[begin:end]))
			}
		}
		return found
	}}, nil
}

func matches(of labels.Labels, matchers []*labels.Matcher) bool {
	for _, m := range matchers {
		if !m.Matches(of.Get(m.Name)) {
			return false
		}
	}
	return true
}

// set is a [storage.SeriesSet].
type set struct {
	all []storage.Series
	at  int
}

func (s *set) Next() bool                        { s.at++; return s.at < len(s.all) }
func (s *set) At() storage.Series                { return s.all[s.at] }
func (s *set) Err() error                        { return nil }
func (s *set) Warnings() annotations.Annotations { return nil }

func (s sample) T() int64                      { return s.at }
func (s sample) F() float64                    { return s.value }
func (s sample) H() *histogram.Histogram       { return nil }
func (s sample) FH() *histogram.FloatHistogram { return nil }
func (s sample) Type() chunkenc.ValueType      { return chunkenc.ValFloat }
func (s sample) Copy() chunks.Sample           { return s }
