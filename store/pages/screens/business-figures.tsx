import { businessFigures } from '#store/constants.ts'

export function BusinessFigures() {
  return (
    <section aria-labelledby="summary" className="flex flex-col gap-6">
      <h2 id="summary" className="text-xl sm:text-2xl">
        Our business in figures
      </h2>
      <ul className="on-board grid divide-trace rounded max-sm:divide-y sm:grid-cols-3 sm:divide-x">
        {businessFigures.map(({ value, label }) => (
          <li key={label} className="flex flex-col items-center gap-1 p-4 text-silk-soft sm:p-6">
            <span className="figures text-3xl font-semibold text-silk">{value}</span> {label}
          </li>
        ))}
      </ul>
    </section>
  )
}
