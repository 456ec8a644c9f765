import { type FocusEvent, type FormEvent, memo, type ReactNode, useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Facet } from '#store/catalogue/contract.ts'
import { inFigures } from '#store/in-figures.ts'
import { Button } from '#web/button.tsx'
import { Icon } from '#web/icon.tsx'
import { InlineScript } from '#web/inline-script.tsx'
import { Dollars } from '#web/money.tsx'
import { addressWith, countInStock, isAttribute, isTable, questionOf } from './browsing.ts'
import { CategoryLinks } from './category-links.tsx'
import { ChoiceFacet } from './choice-facet.tsx'
import { NumberFacet } from './number-facet.tsx'

/** The form of the filters: what stands outside it, such as the order, belongs to it by `form={filterForm}`. */
export const filterForm = 'filters'
const sheetId = 'filters-sheet'

type FiltersProps = {
  search: URLSearchParams
  facets: Facet[]
  /** how many filters are set, words and category apart */
  set: number
  total: number
}

/**
 * What can be chosen. A form that any browser can send; once the script is there, each choice applies at once, the focus stays where it is,
 * and Back takes the choice away again.
 */
export const Filters = memo(function Filters({ search, facets, set, total }: FiltersProps) {
  const question = questionOf(search)
  const chosen = (name: string) => question[name] ?? []
  const category = chosen('category')[0]
  const form = useFilterForm(search)
  const sheet = useSheetWhereNarrow()
  const shown = facets.filter((facet) => facet.key === 'brand' || (category && isAttribute(facet)))
  const others = notShown(search, shown)
  const inStock = countInStock(facets)
  const price = facets.filter((facet) => facet.kind === 'number').find(({ key }) => key === 'price')

  return (
    <section aria-labelledby="filters-title" className="text-sm">
      <button
        type="button"
        popoverTarget={sheetId}
        className="flex min-h-11 w-full items-center justify-between gap-2 rounded border border-edge bg-panel px-4 text-base font-semibold hover:border-ink lg:hidden"
      >
        {category ? 'Filters' : 'Categories and filters'}
        {set > 0 && ` (${set})`}
        <Icon name="plus" />
      </button>
      <div ref={sheet} id={sheetId} popover="auto" className="max-lg:sheet lg:unfolded max-lg:bg-panel max-lg:text-ink">
        {/* a sheet scrolls above its button, which so covers nothing */}
        <div className="max-lg:max-h-[calc(80dvh-7rem)] max-lg:overflow-y-auto">
          <h2 id="filters-title" className="mb-4 text-lg lg:sr-only">
            Filters
          </h2>
          <CategoryLinks search={search} facets={facets} />
          <form id={filterForm} action="/allproducts" {...form} className="flex flex-col gap-5">
            {others.map(([name, value]) => (
              <input key={`${name}=${value}`} type="hidden" name={name} value={value} />
            ))}
            <Group title="Stock and price">
              <label className="flex min-h-8 items-center gap-2">
                <input
                  type="checkbox"
                  name="in_stock"
                  value="yes"
                  defaultChecked={chosen('in_stock').length > 0}
                  className="size-4 accent-leaf"
                />
                <span className="grow">In stock</span>
                {inStock !== undefined && <span className="figures text-soft">{inFigures(inStock)}</span>}
              </label>
              <Amount name="pieces" before="I need" after="pieces" value={chosen('pieces')[0]} />
              <div className="flex items-center gap-2">
                <Amount name="price.min" before="from $" what="Price" value={chosen('price.min')[0]} />
                <Amount name="price.max" before="to $" what="Price" value={chosen('price.max')[0]} />
              </div>
              {price && (
                <p className="text-soft">
                  Found from <Dollars amount={price.least} /> to <Dollars amount={price.most} />
                </p>
              )}
            </Group>
            {shown.map((facet) => {
              const name = facet.key
              return (
                <Group key={name} title={facet.kind === 'number' && facet.unit ? `${facet.label} (${facet.unit})` : facet.label}>
                  {facet.kind === 'choice' ? (
                    <ChoiceFacet facet={facet} name={name} chosen={chosen(name)} />
                  ) : (
                    <NumberFacet facet={facet} name={name} least={chosen(`${name}.min`)[0]} most={chosen(`${name}.max`)[0]} />
                  )}
                </Group>
              )
            })}
            <noscript>
              <Button type="submit">Show products</Button>
            </noscript>
            <InlineScript run={import.meta.env.SSR ? sendEarlyChoice : undefined} />
          </form>
        </div>
        <Button type="submit" form={filterForm} className="needs-script mt-3 w-full lg:hidden">
          Show {inFigures(total)} {total === 1 ? 'product' : 'products'}
        </Button>
      </div>
    </section>
  )
})

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-1 border-t border-line pt-3">
      <legend className="float-left mb-1 w-full font-semibold">{title}</legend>
      {children}
    </fieldset>
  )
}

type AmountProps = {
  name: string
  /** what the field is about, for who does not see where it stands */
  what?: string
  before: string
  after?: string
  value: string | undefined
}

/** A field in its sentence. Typed as text: a number field would swallow "1,250". */
function Amount({ name, what, before, after, value = '' }: AmountProps) {
  return (
    <label className="flex min-h-8 min-w-0 grow items-center gap-2">
      <span className="shrink-0">
        {what && <span className="sr-only">{what} </span>}
        {before}
      </span>
      <input
        name={name}
        inputMode="numeric"
        autoComplete="off"
        defaultValue={value}
        className="figures min-h-9 w-16 min-w-0 grow rounded border border-edge bg-panel px-2 text-base text-ink hover:border-ink"
      />
      {after}
    </label>
  )
}

/**
 * A choice that is made before the page's script has come sends the form, as its button does where there is no script at all.
 * Runs as an inline script, so it must stand alone; the form says when it is no longer needed.
 */
function sendEarlyChoice(): void {
  document.addEventListener('change', ({ target }) => {
    const form = target instanceof HTMLInputElement || target instanceof HTMLSelectElement ? target.form : null
    if (form?.id === 'filters' && form.dataset.awake === undefined) form.requestSubmit()
  })
}

/** What the address says and no control of the form does: words, category, and filters that fit nothing that was found. */
function notShown(search: URLSearchParams, shown: Facet[]): [name: string, value: string][] {
  const controls = new Set(['in_stock', 'pieces', 'price.min', 'price.max', 'sort'])
  for (const facet of shown) for (const end of facet.kind === 'choice' ? [''] : ['.min', '.max']) controls.add(`${facet.key}${end}`)
  const others = Object.entries(questionOf(search)).flatMap(([name, values]) =>
    controls.has(name) ? [] : values.map((value): [string, string] => [name, value]),
  )
  return isTable(search) ? [...others, ['look', 'table']] : others
}

/** Applies what is ticked or chosen at once, and what is typed when its field is left; and lets the form follow an address that Back or a link has changed. */
function useFilterForm(search: URLSearchParams) {
  const ref = useRef<HTMLFormElement>(null)
  const navigate = useNavigate()
  const address = useLocation().search

  useEffect(() => {
    if (ref.current) ref.current.dataset.awake = ''
    const said = new URLSearchParams(address)
    for (const control of ref.current?.elements ?? []) {
      if (control === document.activeElement && isTyped(control)) continue // whoever types there knows better
      if (control instanceof HTMLInputElement && control.type === 'checkbox')
        control.checked = said.getAll(control.name).includes(control.value)
      else if (control instanceof HTMLSelectElement || isTyped(control)) control.value = said.get(control.name) ?? ''
    }
  }, [address])

  function apply(form: HTMLFormElement) {
    const fields = [...new FormData(form)].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
    const next = addressOf(new URLSearchParams(fields))
    if (next !== addressOf(search)) navigate(next, { preventScrollReset: true })
  }

  return {
    ref,
    onChange: (event: FormEvent<HTMLFormElement>) => {
      if (!isTyped(event.target)) apply(event.currentTarget)
    },
    onBlur: (event: FocusEvent<HTMLFormElement>) => {
      if (isTyped(event.target)) apply(event.currentTarget)
    },
    onSubmit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault()
      apply(event.currentTarget)
      const sheet = event.currentTarget.closest('[popover]')
      if (sheet instanceof HTMLElement && sheet.matches(':popover-open')) sheet.hidePopover()
    },
  }
}

/** What is asked, as an address, with amounts as plain figures. */
function addressOf(search: URLSearchParams): string {
  return addressWith(new URLSearchParams(), { ...questionOf(search), look: isTable(search) ? 'table' : undefined })
}

/** A sheet that opens where there is little room is closed when there is enough: there it is a part of the page. */
function useSheetWhereNarrow() {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const wide = matchMedia('(min-width: 64rem)')
    const close = () => wide.matches && ref.current?.matches(':popover-open') && ref.current.hidePopover()
    wide.addEventListener('change', close)
    return () => wide.removeEventListener('change', close)
  }, [])
  return ref
}

const isTyped = (control: unknown): control is HTMLInputElement =>
  control instanceof HTMLInputElement && control.type !== 'checkbox' && control.type !== 'hidden'
