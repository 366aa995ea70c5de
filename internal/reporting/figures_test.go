package reporting_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/entwine-go/entwine/internal/reporting"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
)

func TestMoneyCountsOnTheDayItMovedInUTC(t *testing.T) {
	each(t, func(s *shop) {
		lamp, tea := s.product("Lamp", "USD", 1999), s.product("Tea", "JPY", 300)
		s.sell(at("2026-07-13T23:59:59Z"), 1, lamp)
		late := s.sell(at("2026-07-14T01:30:00+02:00"), 2, lamp) // still the 13th
		s.sell(at("2026-07-14T00:00:00Z"), 1, tea)
		s.refund(late, at("2026-07-15T08:00:00Z"), 500)
		s.sell(at("2026-06-15T23:59:59Z"), 1, lamp) // before the 30 days

		got, err := s.reporter.Sales(s.admin, nil, nil, reporting.Day)
		if err != nil {
			s.Fatal(err)
		}
		want := []reporting.Figure{
			{Start: at("2026-07-13T00:00:00Z"), Currency: "USD", Orders: 2, Gross: 3 * 1999},
			{Start: at("2026-07-14T00:00:00Z"), Currency: "JPY", Orders: 1, Gross: 300},
			{Start: at("2026-07-15T00:00:00Z"), Currency: "USD", Refunded: 500},
		}
		if !reflect.DeepEqual(got.Series, want) {
			s.Errorf("series by day:\n%v, want\n%v", got.Series, want)
		}
		wantTotals := []reporting.Figure{
			{Currency: "JPY", Orders: 1, Gross: 300},
			{Currency: "USD", Orders: 2, Gross: 3 * 1999, Refunded: 500},
		}
		if !reflect.DeepEqual(got.Totals, wantTotals) {
			s.Errorf("totals:\n%v, want\n%v", got.Totals, wantTotals)
		}
		if net := got.Totals[1].Net(); net != 3*1999-500 {
			s.Errorf("net %d", net)
		}
	})
}

func TestWeeksBeginOnMondayAndMonthsOnTheFirst(t *testing.T) {
	each(t, func(s *shop) {
		lamp := s.product("Lamp", "USD", 1000)
		for _, when := range []string{"2026-05-31T23:00:00Z", "2026-06-01T00:00:00Z", "2026-06-07T23:59:59Z", "2026-06-08T00:00:00Z"} {
			s.sell(at(when), 1, lamp)
		}
		from, to := at("2026-05-01T00:00:00Z"), at("2026-07-01T00:00:00Z")
		for by, want := range map[reporting.Interval]map[string]int64{
			reporting.Week:  {"2026-05-25": 1, "2026-06-01": 2, "2026-06-08": 1},
			reporting.Month: {"2026-05-01": 1, "2026-06-01": 3},
		} {
			sales, err := s.reporter.Sales(s.admin, &from, &to, by)
			if err != nil {
				s.Fatal(err)
			}
			got := make(map[string]int64)
			for _, f := range sales.Series {
				got[f.Start.Format(time.DateOnly)] = f.Orders
			}
			if !reflect.DeepEqual(got, want) {
				s.Errorf("orders by %s: %v, want %v", by, got, want)
			}
		}
	})
}

func TestTheDashboardHasAPointForEveryStep(t *testing.T) {
	each(t, func(s *shop) {
		s.joined("Ada", "ada@example.com", at("2026-07-15T09:00:00Z"))
		s.joined("Bob", "bob@example.com", at("2026-01-01T00:00:00Z"))
		lamp, tea := s.product("Lamp", "USD", 1999), s.product("Tea", "USD", 300)
		s.sell(at("2026-07-14T10:00:00Z"), 1, lamp)
		s.sell(at("2026-07-14T11:00:00Z"), 5, tea)

		shown := s.now
		s.now = shown.Add(789)
		a, err := s.reporter.Analytics(s.admin, nil, nil, reporting.Day)
		if err != nil {
			s.Fatal(err)
		}
		if !a.At.Equal(shown) || !a.Span.To.Equal(shown) {
			s.Errorf("read at %v, up to %v: want %v, to the microsecond", a.At, a.Span.To, shown)
		}
		if a.Totals.Users != 2 || a.Totals.ActiveUsers != 2 || a.Totals.Products != 2 || a.Totals.Orders != 2 {
			s.Errorf("totals %+v", a.Totals)
		}
		if len(a.Series) != 30 || !a.Series[0].Start.Equal(at("2026-06-16T00:00:00Z")) {
			s.Fatalf("%d points from %v, want 30 from 16 June", len(a.Series), a.Series[0].Start)
		}
		if p := a.Series[29]; p.Users != 1 || p.Sales != nil {
			s.Errorf("today %+v, want one new user", p)
		}
		if p := a.Series[28]; p.Users != 0 || len(p.Sales) != 1 || p.Sales[0].Gross != 1999+5*300 {
			s.Errorf("yesterday %+v, want two sales", p)
		}
		want := []reporting.TopProduct{
			{ProductID: int64(tea.ID), Name: "Tea", Currency: "USD", Quantity: 5, Revenue: 1500},
			{ProductID: int64(lamp.ID), Name: "Lamp", Currency: "USD", Quantity: 1, Revenue: 1999},
		}
		if !reflect.DeepEqual(a.TopProducts, want) {
			s.Errorf("top products %+v, want %+v", a.TopProducts, want)
		}
	})
}

func TestTheDashboardIsKeptForAMoment(t *testing.T) {
	each(t, func(s *shop) {
		users := func() int64 {
			a, err := s.reporter.Analytics(s.admin, nil, nil, reporting.Week)
			if err != nil {
				s.Fatal(err)
			}
			return a.Totals.Users
		}
		if n := users(); n != 0 {
			s.Fatalf("%d users", n)
		}
		s.joined("Ada", "ada@example.com", s.now)
		s.now = s.now.Add(14 * time.Second)
		if n := users(); n != 0 {
			s.Errorf("%d users after 14 s, want what was read before", n)
		}
		s.now = s.now.Add(2 * time.Second)
		if n := users(); n != 1 {
			s.Errorf("%d users after 16 s, want 1", n)
		}
	})
}

func TestFiguresAreForAdmins(t *testing.T) {
	each(t, func(s *shop) {
		editor := viewer.With(s.Context(), &viewer.Viewer{UserID: 1, Role: "editor"})
		_, err1 := s.reporter.Sales(editor, nil, nil, reporting.Day)
		_, err2 := s.reporter.Analytics(editor, nil, nil, reporting.Day)
		_, err3 := s.reporter.Generate(editor, reporting.Report{Type: "users", Format: "csv"})
		for _, err := range []error{err1, err2, err3} {
			if problem.KindOf(err) != problem.Forbidden {
				s.Errorf("an editor: %v, want forbidden", err)
			}
		}
		if _, err := s.reporter.Sales(s.Context(), nil, nil, reporting.Day); problem.KindOf(err) != problem.Unauthenticated {
			s.Errorf("nobody: %v, want unauthenticated", err)
		}
	})
}

func TestBadSpansAreRefused(t *testing.T) {
	each(t, func(s *shop) {
		early, late := at("2001-01-01T00:00:00Z"), at("2026-01-01T00:00:00Z")
		never := at("0000-12-31T00:00:00Z")
		for name, ask := range map[string]func() error{
			"from after to":  func() error { _, err := s.reporter.Sales(s.admin, &late, &early, reporting.Day); return err },
			"25 years":       func() error { _, err := s.reporter.Sales(s.admin, &early, &late, reporting.Day); return err },
			"a strange step": func() error { _, err := s.reporter.Analytics(s.admin, nil, nil, "fortnight"); return err },
			"a strange type": func() error {
				_, err := s.reporter.Generate(s.admin, reporting.Report{Type: "x", Format: "y"})
				return err
			},
			"the year 0": func() error { _, err := s.reporter.Sales(s.admin, &never, nil, reporting.Day); return err },
			"a file up to the year 0": func() error {
				_, err := s.reporter.Generate(s.admin, reporting.Report{Type: "users", Format: "csv", To: &never})
				return err
			},
			"an inverse span": func() error {
				_, err := s.reporter.Generate(s.admin, reporting.Report{Type: "users", Format: "csv", From: &late, To: &early})
				return err
			},
		} {
			if err := ask(); problem.KindOf(err) != problem.Unprocessable {
				s.Errorf("%s: %v, want unprocessable", name, err)
			}
		}
		first := at("0001-01-05T00:00:00Z")
		if sales, err := s.reporter.Sales(s.admin, nil, &first, reporting.Week); err != nil || sales.From.Year() != 1 {
			s.Errorf("the first days that there are: %+v, %v", sales, err)
		}
	})
}
