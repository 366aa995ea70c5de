package money

// Amount is a sum in minor units of its currency. As JSON it is a decimal number.
type Amount struct {
	Minor    int64
	Currency string
}

// MarshalJSON implements json.Marshaler.
func (a Amount) MarshalJSON() ([]byte, error) { return Append(nil, a.Minor, a.Currency), nil }
