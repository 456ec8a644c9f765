import { useState } from 'react'
import { data, Form } from 'react-router'
import { showPart } from '#store/catalogue/contract.ts'
import { inFigures } from '#store/in-figures.ts'
import { typedWholeNumber } from '#store/typed-whole-number.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { door } from '#web/door.ts'
import { Fact, Facts } from '#web/facts.tsx'
import { Field } from '#web/field.tsx'
import { Dollars, GroupedDigits } from '#web/money.tsx'
import { socialPicture } from '#web/page-meta.ts'
import { Panel } from '#web/panel.tsx'
import { orNotFound, send } from '#web/send.ts'
import { useSettled } from '#web/settled.ts'
import { Status } from '#web/status.tsx'
import { TextLink } from '#web/text-link.tsx'
import { Trail } from '#web/trail.tsx'
import type { Route } from './+types/product'
import { Copied } from './copied.tsx'
import { noticesOn } from './data-notices.ts'
import { Notices } from './notices.tsx'
import { onShelf, type PartOnShelf } from './on-shelf.ts'
import { productData } from './product-data.ts'
import { RelatedParts } from './related-parts.tsx'
import { ToolPicture } from './tool-picture.tsx'

export async function loader({ params, request, context }: Route.LoaderArgs) {
  const shown = await send(showPart, { params: { id: params.id } }, context.get(door)).catch(orNotFound)
  const { part, category, details, related } = shown
  const { origin, searchParams } = new URL(request.url)
  const address = `${origin}/products/${part._id}`
  const { specs, ...rest } = part // the details say them
  return data(
    {
      part: onShelf(rest),
      category,
      details,
      related: related.map(({ description, specs, ...other }) => onShelf(other)),
      wanted: searchParams.get('quantity') ?? '',
      address,
      data: productData(shown, address),
      notices: noticesOn([part, ...related]),
    },
    { headers: { 'x-shows': [...[part, ...related].map(({ _id }) => `tool:${_id}`), 'shelves'].join(' ') } },
  )
}

export const headers = ({ loaderHeaders }: Route.HeadersArgs) => loaderHeaders

export const meta: Route.MetaFunction = ({ loaderData }) => {
  if (!loaderData) return []
  const { part, category, address, data } = loaderData
  const title = `${part.name} | Nucleus of PC`
  const facts = [
    part.mpn && `part number ${part.mpn}`,
    `$${inFigures(part.price)} each`,
    `minimum ${inFigures(part.minimum_order_quantity)}`,
  ].filter(Boolean)
  const description = [`${category?.label ?? 'Part'}: ${facts.join(', ')}.`, part.description].join(' ')
  const short = description.length > 200 ? `${description.slice(0, 197)}...` : description
  return [
    { title },
    { name: 'description', content: short },
    { tagName: 'link', rel: 'canonical', href: address },
    { property: 'og:type', content: 'product' },
    { property: 'og:site_name', content: 'Nucleus of PC' },
    { property: 'og:title', content: part.name },
    { property: 'og:description', content: short },
    { property: 'og:url', content: address },
    ...(part.img.startsWith('/drawings/') ? socialPicture(address) : [{ property: 'og:image', content: new URL(part.img, address).href }]),
    { 'script:ld+json': data },
  ]
}

type Shown = Route.ComponentProps['loaderData']

export default function Product({ loaderData }: Route.ComponentProps) {
  const { part, category, details, related, wanted, notices } = loaderData
  const compared = [part, ...related.filter(({ inStock }) => inStock)].slice(0, mostCompared)
  return (
    <main id="main" tabIndex={-1} className="mx-auto flex w-full max-w-page flex-col gap-10 px-4 py-4 sm:px-6 sm:py-6">
      <div className="flex flex-col gap-4">
        <Trail
          steps={[
            { words: 'All tools', to: '/allproducts' },
            ...(category ? [{ words: category.label, to: `/allproducts?category=${encodeURIComponent(category.value)}` }] : []),
          ]}
        />
        <div className="grid gap-x-10 gap-y-4 md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
          <Picture part={part} />
          <div className="flex min-w-0 flex-col gap-4 sm:gap-5">
            <Head part={part} />
            {part.inStock ? <Order key={part._id} part={part} wanted={wanted} /> : <SoldOut part={part} others={related.length > 0} />}
          </div>
        </div>
      </div>
      <div className="grid gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        {details.length > 0 && <Details details={details} />}
        <section aria-labelledby="description" className="flex flex-col gap-3">
          <h2 id="description" className="text-xl">
            Description
          </h2>
          <p className="max-w-read whitespace-pre-line">{part.description}</p>
        </section>
      </div>
      {related.length > 0 && (
        <section aria-labelledby="related" className="flex flex-col gap-4 print:hidden">
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
            <h2 id="related" className="text-xl">
              {category ? `Other ${inSentence(category.label)} at about this price` : 'Others like it'}
            </h2>
            {compared.length > 1 && (
              <ButtonLink to={`/compare?${compared.map(({ _id }) => `id=${_id}`).join('&')}`} look="quiet">
                Compare with {compared.length - 1} of them
              </ButtonLink>
            )}
          </div>
          <RelatedParts parts={related} />
        </section>
      )}
      <Notices notices={notices} />
    </main>
  )
}

/** As many as the comparison takes; said again, as the contract would bring all its schemas along. */
const mostCompared = 4

/** "Graphics cards" within a sentence: "graphics cards", but "CPU coolers" stay. */
const inSentence = (label: string) => (/^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label)

type ShownOnShelf = Omit<PartOnShelf, 'specs'>

/** A drawing is of the kind, not of the part: maker and part number stand on it like a label. A phone has room for a small one beside the name. */
function Picture({ part }: { part: ShownOnShelf }) {
  const drawn = part.img.startsWith('/drawings/')
  return (
    <Panel look="sunk" room="none" className="relative self-start max-md:hidden print:hidden">
      <ToolPicture tool={part} first className="aspect-3/2 w-full" />
      {drawn && (part.brand || part.mpn) && (
        <p
          aria-hidden="true"
          className="figures absolute bottom-2 left-2 max-w-[calc(100%-1rem)] truncate rounded border border-line bg-panel px-2 py-1 text-sm"
        >
          {[part.brand, part.mpn].filter(Boolean).join(' ')}
        </p>
      )}
    </Panel>
  )
}

function Head({ part }: { part: ShownOnShelf }) {
  return (
    <>
      <div className="flex items-start gap-4">
        <ToolPicture tool={part} first className="aspect-square w-20 shrink-0 md:hidden print:hidden" />
        {/* some carry a retailer's prose */}
        <h1 tabIndex={-1} className={`min-w-0 ${part.name.length > 90 ? 'text-lg sm:text-xl' : 'text-xl sm:text-3xl'}`}>
          {part.name}
        </h1>
      </div>
      <Facts className="gap-y-0.5! sm:gap-y-1!">
        {part.brand && (
          <Fact name="Brand">
            <TextLink to={`/allproducts?brand=${encodeURIComponent(part.brand)}`}>{part.brand}</TextLink>
          </Fact>
        )}
        {part.mpn && (
          <Fact name="Part number">
            <Copied label="part number" text={part.mpn} />
          </Fact>
        )}
        <Fact name="SKU">
          <Copied label="SKU" text={part.sku} />
        </Fact>
      </Facts>
      <div className="flex flex-col gap-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="text-2xl font-semibold">
            <Dollars amount={part.price} /> <span className="text-base font-normal text-soft">each</span>
          </span>
          <Status kind={part.inStock ? 'good' : 'bad'}>{part.inStock ? 'In stock' : 'Out of stock'}</Status>
        </p>
        <p>
          Available Quantity: <GroupedDigits number={part.available_quantity} />
        </p>
        <p>
          Minimum Order Quantity: <GroupedDigits number={part.minimum_order_quantity} />{' '}
          <span className="text-soft">
            = <Dollars amount={part.minimum_order_quantity * part.price} />
          </span>
        </p>
      </div>
    </>
  )
}

/** What so many cost, as it is typed, and without JavaScript when it is sent; the way to the order carries the quantity along. */
function Order({ part, wanted }: { part: ShownOnShelf; wanted: string }) {
  const { minimum_order_quantity: min, available_quantity: available, price } = part
  const [typed, type] = useState(wanted || String(min))
  const [settled, settle] = useSettled(typed)
  const quantity = typedWholeNumber(typed)
  const tooMany = quantity > available
  const trouble = Number.isNaN(quantity)
    ? 'Type a whole number of pieces'
    : tooMany
      ? `${inFigures(available)} pieces are left`
      : quantity < min
        ? `The smallest order is ${inFigures(min)} pieces`
        : undefined
  // Too few may become enough with the next digit; too many cannot.
  const told = tooMany || settled === typed ? trouble : undefined
  const total = trouble ? undefined : `${inFigures(quantity)} x $${inFigures(price)} = `
  const cost = quantity * price
  return (
    <Form method="get" replace preventScrollReset className="print:hidden">
      <Panel look="raised" className="flex flex-col gap-3">
        <div className="flex items-start gap-x-4">
          <div className="w-32 shrink-0 sm:w-40">
            <Field
              label="Quantity"
              name="quantity"
              inputMode="numeric"
              autoComplete="off"
              hint={`${inFigures(min)} to ${inFigures(available)} pieces`}
              error={told}
              className="figures text-right"
              value={typed}
              onChange={({ target }) => type(target.value)}
              onBlur={settle}
            />
          </div>
          <div className="flex min-h-11 min-w-0 flex-1 items-center self-start pt-7 text-lg">
            <p aria-hidden="true">
              {total && (
                <>
                  <span className="figures">{total}</span>
                  <Dollars amount={cost} className="font-semibold" />
                </>
              )}
            </p>
            <p role="status" className="sr-only">
              {settled === typed && total && `${total}$${inFigures(cost)}`}
            </p>
          </div>
        </div>
        <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
          <ButtonLink to={`/purchase/${part._id}${trouble ? '' : `?quantity=${quantity}`}`} className="max-sm:w-full sm:min-w-40">
            Buy Now
          </ButtonLink>
          <noscript>
            <Button type="submit" look="quiet">
              What do so many cost?
            </Button>
          </noscript>
          <p className="text-sm text-soft">
            <TextLink to="/help#delivery">Delivery</TextLink>, <TextLink to="/help#returns">returns</TextLink>,{' '}
            <TextLink to="/help#contact">questions</TextLink>
          </p>
        </div>
      </Panel>
    </Form>
  )
}

function SoldOut({ part, others }: { part: ShownOnShelf; others: boolean }) {
  return (
    <Panel className="flex flex-col items-start gap-3">
      <p>
        The smallest order is {inFigures(part.minimum_order_quantity)} pieces, and {inFigures(part.available_quantity)} are left.
      </p>
      {others && <TextLink to="#related">Others of its kind</TextLink>}
    </Panel>
  )
}

function Details({ details }: { details: Shown['details'] }) {
  return (
    <section aria-labelledby="details" className="flex flex-col gap-3">
      <h2 id="details" className="text-xl">
        Specifications
      </h2>
      <table className="w-full border-collapse text-left align-top">
        <tbody>
          {details.map(({ key, label, text }) => (
            <tr key={key} className="border-b border-line first:border-t">
              <th scope="row" className="w-2/5 py-2 pr-4 align-top font-normal text-soft">
                {label}
              </th>
              <td className="py-2 align-top">{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
