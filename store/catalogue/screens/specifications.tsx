import type { ProductAttribute, ProductDocument } from '#store/catalogue/product-page-contract.ts'
import { TextLink } from '#web/text-link.tsx'

type SpecificationsProps = { details: ProductAttribute[] }

const maxKeyFacts = 6

/** What decides, beside the price: attributes are defined in the order of their weight. Nothing where the whole table is as short. */
export function KeyFacts({ details }: SpecificationsProps) {
  const facts = details.filter(({ text }) => text.length <= 40).slice(0, maxKeyFacts)
  if (facts.length < 2) return null
  return (
    <div className="flex flex-col gap-3 print:hidden">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-2 lg:grid-cols-3">
        {facts.map(({ key, label, text }) => (
          <div key={key} className="border-l-2 border-line pl-3">
            <dt className="text-sm text-soft">{label}</dt>
            <dd className="font-medium break-words">{text}</dd>
          </div>
        ))}
      </dl>
      {details.length > facts.length && (
        <p className="text-sm">
          <TextLink to="#details">All {details.length} specifications</TextLink>
        </p>
      )}
    </div>
  )
}

/** The attributes in their groups, what belongs to none last, then the documents. */
export function Specifications({ details, documents }: SpecificationsProps & { documents: ProductDocument[] }) {
  const names = [...new Set(details.flatMap(({ group }) => group ?? []))]
  const groups = [...names, undefined].map((name) => ({ name, attributes: details.filter(({ group }) => group === name) }))
  return (
    <section aria-labelledby="details" className="flex flex-col gap-3">
      <h2 id="details" className="text-xl">
        Specifications
      </h2>
      <div className="print:columns-2 print:gap-8">
        <table className="w-full border-collapse text-left align-top print:text-sm print:leading-tight">
          {/* without a row of its own the first group's name would be taken for the table's */}
          <thead className="sr-only">
            <tr>
              <th scope="col">Attribute</th>
              <th scope="col">Value</th>
            </tr>
          </thead>
          {groups.map(({ name, attributes }) => (
            <tbody key={name ?? ''} className="group print:break-inside-avoid">
              {names.length > 0 && attributes.length > 0 && (
                <tr>
                  <th
                    scope="rowgroup"
                    colSpan={2}
                    className="pt-4 pb-1 text-sm print:pt-1 font-semibold text-leaf group-first-of-type:pt-0"
                  >
                    {name ?? 'Further'}
                  </th>
                </tr>
              )}
              {attributes.map(({ key, label, text }) => (
                <tr key={key} className="border-b border-line first:border-t">
                  <th scope="row" className="w-2/5 py-1.5 pr-4 align-top print:py-0 font-normal text-soft">
                    {label}
                  </th>
                  <td className="py-1.5 align-top print:py-0">{text}</td>
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      </div>
      {documents.length > 0 && (
        <>
          <h3 className="text-base font-semibold">Documents</h3>
          <ul className="flex flex-col gap-1">
            {documents.map(({ label, url, host }) => (
              <li key={url}>
                <TextLink to={url} rel="noreferrer" className="wrap-anywhere">
                  {label}
                </TextLink>{' '}
                <span className="text-sm wrap-anywhere text-soft">{host}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
