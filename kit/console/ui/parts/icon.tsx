// Icons, drawn as lines of 1.5 on 16 by 16.

const shapes = {
  rows: "M2.5 3.5h11v9h-11zM2.5 6.5h11M6.5 6.5v6",
  jobs: "M8 2.5a5.5 5.5 0 1 0 5.5 5.5M8 5v3.2l2.2 1.3M11 2.8l2.3.4-.4 2.3",
  people: "M6 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM1.8 13.5c.3-2.4 2-3.7 4.2-3.7s3.9 1.3 4.2 3.700M10.5 3.200a2.5 2.5 0 0 1 0 4.700M11.8 10c1.4.5 2.2 1.7 2.4 3.5",
  key: "M10.2 9.300a3.3 3.3 0 1 0-3.1-2.200L2.5 11.700v1.800h2.300v-1.600h1.600v-1.600z",
  session: "M2.5 3.500h11v7h-11zM6 13.500h4M8 10.500v3",
  graph: "M5.5 4.500h5v0M4 6v4M5 11.500h6M12 6v4M2.5 3h3v3h-3zM10.5 3h3v3h-3zM2.5 10h3v3h-3zM10.5 10h3v3h-3z",
  shield: "M8 2l5 1.800v3.900c0 3-2 5.2-5 6.3-3-1.1-5-3.3-5-6.300V3.800zM5.8 8l1.6 1.6 2.9-3",
  health: "M1.5 8.500h3l1.5-4 3 8 1.5-4h4",
  trace: "M2.5 3.500h6M5 8h6M8.5 12.500h5M2.5 3.500v9",
  mail: "M2.5 4h11v8.500h-11zM2.5 4.500L8 8.800l5.500-4.300",
  bell: "M4 11V7.500a4 4 0 0 1 8 0V11l1 1.500H3zM6.800 14h2.400",
  gauge: "M3.200 12a5.500 5.500 0 1 1 9.600 0M8 9.500l2.600-3.300",
  sliders: "M2.5 4.500h6M11.500 4.500h2M2.5 11.500h2M7.500 11.500h6M10 3v3M6 10v3",
  layers: "M8 2.500l5.500 3L8 8.500l-5.500-3zM2.5 8.500L8 11.500l5.500-3M2.5 11L8 14l5.500-3",
  eye: "M1.500 8c1.500-2.900 3.800-4.300 6.500-4.300s5 1.400 6.500 4.300c-1.500 2.900-3.800 4.300-6.500 4.300S3 10.900 1.500 8zM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
  chart: "M2.5 2.500v11h11M5.500 11V8M8.500 11V4.500M11.500 11V6.500",
  globe: "M8 2a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM2 8h12M8 2c2 1.700 2.800 3.700 2.800 6s-.8 4.300-2.800 6c-2-1.700-2.800-3.700-2.800-6S6 3.700 8 2z",
  home: "M2.5 7.500L8 3l5.5 4.500v6h-4v-3.500h-3v3.500h-4z",
  menu: "M2.5 4.500h11M2.5 8h11M2.5 11.500h11",
  out: "M9.5 2.500h-6v11h6M7 8h7M11.5 5.500L14 8l-2.5 2.5",
} as const;

export type IconName = keyof typeof shapes;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round">
      <path d={shapes[name]} />
    </svg>
  );
}
