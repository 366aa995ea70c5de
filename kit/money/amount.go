package money

// Amount is a sum in minor units of its currency. As JSON it is a decimal number.
type Amount struct {
	Minor    int64  // in minor units: cents of USD, yen of JPY
	Currency string // the ISO 4217 code
}

// MarshalJSON implements json.Marshaler.
func (a Amount) MarshalJSON() ([]byte, error) { return Append(nil, a.Minor, a.Currency), nil }
