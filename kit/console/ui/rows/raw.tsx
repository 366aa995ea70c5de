// A row as JSON of both APIs: of REST as the page has read it, of GraphQL once the reader opens it.
import { useState } from "preact/hooks";
import { Client } from "../api/client";
import { print, text, type Members, type Value } from "../api/json";
import type { Entity, Field, Service } from "../api/service";
import { useLoad } from "../parts/load";
import { Failed, Loading } from "../parts/say";
import { t } from "../texts/text";

const graphql = new Client("");

export function Raw({ service, entity, row }: { service: Service; entity: Entity; row: Members }) {
  const [open, show] = useState(false);
  return (
    <>
      <details class="raw">
        <summary>{t("As JSON of REST")}</summary>
        <pre tabIndex={0}>{print(row, "  ")}</pre>
      </details>
      {entity.graphql.one && (
        <details class="raw" onToggle={(event) => show((event.target as HTMLDetailsElement).open)}>
          <summary>{t("As JSON of GraphQL")}</summary>
          {open && <OfGraphQL service={service} entity={entity} row={row} />}
        </details>
      )}
    </>
  );
}

function OfGraphQL({ service, entity, row }: { service: Service; entity: Entity; row: Members }) {
  const { manifest } = service;
  const id = manifest.conventions.ids === "global" ? text(row[entity.id]) : globally(`${entity.graphql.type}:${text(row[entity.id])}`);
  const query = `{\n  node(id: "${id}") {\n    ... on ${entity.graphql.type} {\n${chosen(entity.fields.filter((one) => one.name in row), "      ")}\n    }\n  }\n}`;
  const { value, error, again } = useLoad(query, async (signal) => {
    const { body } = await graphql.call({ method: "POST", path: manifest.graphql, body: { query }, options: { signal } });
    const { extensions: _, ...rest } = body as Members;
    return rest as Value;
  });
  if (error !== undefined) return <Failed error={error} again={again} />;
  if (value === undefined) return <Loading what={t("the row")} />;
  return <pre tabIndex={0}>{`${query}\n\n${print(value, "  ")}`}</pre>;
}

/** The fields of a query, each on a line, with those of the objects in them. */
const chosen = (fields: Field[], indent: string): string =>
  fields.filter((one) => one.graphql).map((one) => `${indent}${one.graphql}${one.members ? ` {\n${chosen(one.members, indent + "  ")}\n${indent}}` : ""}`).join("\n");

/** An id as GraphQL has it: base64url. */
const globally = (id: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(id))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
