package telemetry

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Figure is something that is counted elsewhere, and read when Prometheus asks.
type Figure struct {
	// Name is the metric's name without entwine_.
	Name, Help string
	// Labels are the names of its labels.
	Labels []string
	// Total is set where it only grows.
	Total bool
	// Read adds each value, with those of its labels. A figure that can't be read is
	// left out this time.
	Read func(ctx context.Context, add func(value float64, labels ...string)) error
}

// Number returns a Read of one value without labels.
func Number[N int | float64](read func() N) func(context.Context, func(float64, ...string)) error {
	return func(_ context.Context, add func(float64, ...string)) error {
		add(float64(read()))
		return nil
	}
}

// Watch adds figures. It panics where a name is taken.
func (m *Metrics) Watch(figures ...Figure) {
	for _, f := range figures {
		kind := prometheus.GaugeValue
		if f.Total {
			kind = prometheus.CounterValue
		}
		m.registry.MustRegister(&watched{
			read: f.Read, kind: kind,
			desc: prometheus.NewDesc(namespace+"_"+f.Name, f.Help, f.Labels, nil),
		})
	}
}

// watched is a figure as the registry sees it.
type watched struct {
	read func(context.Context, func(float64, ...string)) error
	kind prometheus.ValueType
	desc *prometheus.Desc
}

// readTime bounds reading a figure.
const readTime = 2 * time.Second

// Describe implements prometheus.Collector.
func (w *watched) Describe(to chan<- *prometheus.Desc) { to <- w.desc }

// Collect implements prometheus.Collector.
func (w *watched) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), readTime)
	defer cancel()
	err := w.read(ctx, func(value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(w.desc, w.kind, value, labels...)
	})
	if err != nil {
		to <- prometheus.NewInvalidMetric(w.desc, err)
	}
}
