// What is wrong with a form as a whole, and where: a list of links to its fields. It takes
// the focus, so that it is read first.
import { useEffect, useRef } from "preact/hooks";
import type { Detail } from "../api/client";
import { labelOf, type Field } from "../api/service";
import { tn } from "../texts/text";

export function Findings({ findings, message, fields }: { findings: readonly Detail[]; message: string; fields: Field[] }) {
  const box = useRef<HTMLDivElement>(null);
  const any = findings.length > 0 || message !== "";
  useEffect(() => { if (any) box.current?.focus(); }, [findings, message]);
  if (!any) return null;
  return (
    <div class="failed" role="alert" tabIndex={-1} ref={box}>
      <p class="failed-title">{message || (tn(findings.length, "One thing is not right", "{0} things are not right"))}</p>
      {findings.length > 0 && (
        <ul>
          {findings.map((one) => {
            const field = fields.find((known) => known.name === top(one.field));
            return <li key={one.field + one.message}>{field ? <a href={`#field-${top(one.field)}`}>{labelOf(field)}</a> : <code>{one.field}</code>}: {one.message}</li>;
          })}
        </ul>
      )}
    </div>
  );
}

/** The field of the form that a path such as items[0].quantity lies in. */
const top = (path: string): string => path.split(/[.[]/)[0]!;
