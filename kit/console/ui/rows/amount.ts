// Amounts with all decimals of their currency, by their digits: none is rounded.
import { text, type Members } from "../api/json";
import type { Field } from "../api/service";

/** How many decimals the minor unit of the currency has: 2 of EUR, 0 of JPY. */
export function decimals(currency: string): number {
  try {
    return new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 0;
  } catch {
    return 0; // it is no code of a currency
  }
}

/** "19.9" as "19.90". */
export function padded(digits: string, currency: string): string {
  const [, whole, fraction = ""] = /^(-?\d+)(?:\.(\d+))?$/.exec(digits) ?? [];
  const all = fraction.padEnd(decimals(currency), "0");
  return whole === undefined ? digits : all === "" ? whole : `${whole}.${all}`;
}

/** The currency of an amount in a row, or in an object of an answer, whose member is called so. */
export const currencyOf = (field: Field, row: Members): string => (field.kind === "money" ? text(row[field.currency ?? "currency"]) : "");

/** A number of a row as text, of an amount with all its decimals. */
export function digitsOf(field: Field, row: Members): string {
  const currency = currencyOf(field, row);
  return currency === "" ? text(row[field.name]) : padded(text(row[field.name]), currency);
}
