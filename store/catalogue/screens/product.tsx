import { data, type MetaDescriptor } from 'react-router'
import { formatDay } from '#shared/format-day.ts'
import { formatNumber } from '#shared/format-number.ts'
import { amountToCents, formatCents } from '#shared/money.ts'
import { shopDay } from '#shared/shop-day.ts'
import { type ProductDetails, showProductPage } from '#store/catalogue/contract.ts'
import { expectedArrival } from '#store/catalogue/incoming-stock.ts'
import { costOf, type QuantityTerms, termsForBuyer } from '#store/catalogue/settle-quantity.ts'
import { maxComparedProducts, similarPriceRange } from '#store/constants.ts'
import { cacheUntilChanged } from '#store/topics.ts'
import { apiCallerContext } from '#web/api-caller.ts'
import { Breadcrumbs } from '#web/breadcrumbs.tsx'
import { ButtonLink } from '#web/button.tsx'
import { rethrowAsNotFound } from '#web/call-api.ts'
import { DescriptionItem, DescriptionList } from '#web/description-list.tsx'
import { GroupedDigits, MoneyAmount } from '#web/money.tsx'
import { socialImageMeta } from '#web/page-meta.ts'
import { Panel } from '#web/panel.tsx'
import { shopConfigContext } from '#web/shop-config.ts'
import { StatusBadge } from '#web/status-badge.tsx'
import { TextLink } from '#web/text-link.tsx'
import type { Route } from './+types/product'
import { CopyableText } from './copyable-text.tsx'
import { findProductDataNotices } from './data-notices.ts'
import { FamilyChoices } from './family-choices.tsx'
import { Notices } from './notices.tsx'
import { OwnPrice } from './own-price.tsx'
import { PriceBreakTable } from './price-break-table.tsx'
import { PriceNote } from './price-note.tsx'
import { ProductDrawing } from './product-drawing.tsx'
import { ProductThumbnail } from './product-image.tsx'
import { productJsonLd } from './product-json-ld.ts'
import { QuantityForm } from './quantity-form.tsx'
import { RelatedProducts } from './related-products.tsx'
import { useOwnPrice } from './use-own-price.ts'
import { type ProductDetailsWithOrderFigures, withOrderFigures } from './with-order-figures.ts'

export async function loader({ params, request, context }: Route.LoaderArgs) {
  const shown = await context
    .get(apiCallerContext)(showProductPage, { params: { id: params.id } })
    .catch(rethrowAsNotFound)
  const { part, category, details, drawing, family, related } = shown
  const { origin, searchParams } = new URL(request.url)
  const address = `${origin}/products/${part._id}`
  const { specs, ...rest } = part // `details` contains them as text
  return data(
    {
      part: withOrderFigures(rest),
      arrival: arrivalOf(part),
      loweredOn: part.lowered && formatDay(shopDay(new Date(part.lowered.since))),
      category,
      details,
      drawing,
      family,
      related: related.map(({ description, specs, ...other }) => withOrderFigures(other)),
      relatedHeading: relatedHeading(category?.label, part, related),
      wanted: searchParams.get('quantity') ?? '',
      meta: productMeta(
        part,
        address,
        summaryOf(part, category?.label),
        productJsonLd(shown, address, context.get(shopConfigContext).saleTerms),
      ),
      notices: findProductDataNotices([part, ...related]),
    },
    { headers: cacheUntilChanged('listings', ...[part, ...family, ...related].map(({ _id }) => `product:${_id}` as const)) },
  )
}

export const headers = ({ loaderHeaders }: Route.HeadersArgs) => loaderHeaders

export const meta: Route.MetaFunction = ({ loaderData }) => loaderData?.meta ?? []

/** Made on the server, since a browser would load it for nothing but the title. */
const productMeta = (part: ProductDetails, address: string, summary: string, data: ReturnType<typeof productJsonLd>): MetaDescriptor[] => [
  { title: `${part.name} | Nucleus of PC` },
  { name: 'description', content: summary },
  { tagName: 'link', rel: 'canonical', href: address },
  { property: 'og:type', content: 'product' },
  { property: 'og:site_name', content: 'Nucleus of PC' },
  { property: 'og:title', content: part.name },
  { property: 'og:description', content: summary },
  { property: 'og:url', content: address },
  ...(part.img.startsWith('/drawings/') ? socialImageMeta(address) : [{ property: 'og:image', content: new URL(part.img, address).href }]),
  { 'script:ld+json': data },
]

/** What search engines show below the title. */
function summaryOf(part: ProductDetails, category = 'Part'): string {
  const facts = [
    part.mpn && `part number ${part.mpn}`,
    `${formatCents(amountToCents(part.price))} each`,
    `minimum ${formatNumber(part.minimum_order_quantity)}`,
  ].filter(Boolean)
  const summary = `${category}: ${facts.join(', ')}. ${part.description}`
  return summary.length > 200 ? `${summary.slice(0, 197)}...` : summary
}

function arrivalOf(part: ProductDetails) {
  const arrival = expectedArrival(part)
  return arrival ? { pieces: arrival.quantity, day: formatDay(arrival.date) } : null
}

type LoaderData = Route.ComponentProps['loaderData']

export default function Product({ loaderData }: Route.ComponentProps) {
  const { part, drawing, arrival, loweredOn, category, details, family, related, relatedHeading, wanted, notices } = loaderData
  const offered = termsForBuyer(part, useOwnPrice(part._id))
  const compared = [part, ...related.filter(({ inStock }) => inStock)].slice(0, maxComparedProducts)
  return (
    <main id="main" tabIndex={-1} className="mx-auto flex w-full max-w-page flex-col gap-10 px-4 py-4 sm:px-6 sm:py-6">
      <div className="flex flex-col gap-4">
        <Breadcrumbs
          steps={[
            { label: 'All tools', to: '/allproducts' },
            ...(category ? [{ label: category.label, to: `/allproducts?category=${encodeURIComponent(category.value)}` }] : []),
          ]}
        />
        <div className="grid gap-x-10 gap-y-4 md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
          <ProductDrawing product={part} drawing={drawing} />
          <div className="flex min-w-0 flex-col gap-4 sm:gap-5">
            <ProductHeader product={part} offered={offered} arrival={arrival} loweredOn={loweredOn} />
            {family.length > 0 && <FamilyChoices family={family} shownId={part._id} />}
            {part.inStock ? (
              <QuantityForm key={part._id} product={offered} wanted={wanted} />
            ) : (
              <OutOfStockPanel product={part} hasRelated={related.length > 0} />
            )}
          </div>
        </div>
      </div>
      <div className="grid gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        {details.length > 0 && <Specifications details={details} />}
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
              {relatedHeading}
            </h2>
            {compared.length > 1 && (
              <ButtonLink to={`/compare?${compared.map(({ _id }) => `id=${_id}`).join('&')}`} variant="quiet">
                Compare with {compared.length - 1} of them
              </ButtonLink>
            )}
          </div>
          <RelatedProducts products={related} />
        </section>
      )}
      <Notices notices={notices} />
    </main>
  )
}

/** The related products are all at about the price of the product, or none of them is (`showProductPage`). */
function relatedHeading(category: string | undefined, part: { price: number }, [first]: { price: number }[]): string {
  if (!category) return 'Others like it'
  const others = `Other ${lowercaseFirstLetter(category)}`
  const { from, to } = similarPriceRange(part.price)
  return first && first.price >= from && first.price <= to ? `${others} at about this price` : others
}

/** Lowercases a label for use within a sentence: "graphics cards", but "CPU coolers" is unchanged. */
const lowercaseFirstLetter = (label: string) => (/^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label)

type DisplayedProduct = Omit<ProductDetailsWithOrderFigures, 'specs'>

type ProductHeaderProps = {
  product: DisplayedProduct
  /** its terms for whoever looks at it */
  offered: QuantityTerms
} & Pick<LoaderData, 'arrival' | 'loweredOn'>

function ProductHeader({ product, offered, arrival, loweredOn }: ProductHeaderProps) {
  const priceCents = amountToCents(product.price)
  return (
    <>
      <div className="flex items-start gap-4">
        <ProductThumbnail product={product} isAboveFold className="w-20 shrink-0 md:hidden print:hidden" />
        {/* some names are long retailer texts */}
        <h1 tabIndex={-1} className={`min-w-0 ${product.name.length > 90 ? 'text-lg sm:text-xl' : 'text-xl sm:text-3xl'}`}>
          {product.name}
        </h1>
      </div>
      <DescriptionList className="gap-y-0.5! sm:gap-y-1!">
        {product.brand && (
          <DescriptionItem name="Brand">
            <TextLink to={`/allproducts?brand=${encodeURIComponent(product.brand)}`}>{product.brand}</TextLink>
          </DescriptionItem>
        )}
        {product.mpn && (
          <DescriptionItem name="Part number">
            <CopyableText label="part number" text={product.mpn} />
          </DescriptionItem>
        )}
        <DescriptionItem name="SKU">
          <CopyableText label="SKU" text={product.sku} />
        </DescriptionItem>
      </DescriptionList>
      <div className="flex flex-col gap-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="text-2xl font-semibold">
            <MoneyAmount amountCents={priceCents} /> <span className="text-base font-normal text-soft">each</span>
          </span>
          <StatusBadge kind={product.inStock ? 'good' : 'bad'}>{product.inStock ? 'In stock' : 'Out of stock'}</StatusBadge>
        </p>
        <PriceNote />
        <OwnPrice product={product} loweredOn={loweredOn} />
        <p>
          Available Quantity: <GroupedDigits number={product.available_quantity} />
        </p>
        <p>
          Minimum Order Quantity: <GroupedDigits number={product.minimum_order_quantity} />{' '}
          <span className="text-soft">
            = <MoneyAmount amountCents={costOf(offered, product.minimum_order_quantity)} />
          </span>
        </p>
        {product.order_multiple > 1 && (
          <p>
            Sold in packs of <GroupedDigits number={product.order_multiple} />
          </p>
        )}
        {arrival && (
          <p className="text-soft">
            <GroupedDigits number={arrival.pieces} /> more arrive on {arrival.day}
          </p>
        )}
      </div>
      <PriceBreakTable product={offered} />
    </>
  )
}

function OutOfStockPanel({ product, hasRelated }: { product: DisplayedProduct; hasRelated: boolean }) {
  return (
    <Panel className="flex flex-col items-start gap-3">
      <p>
        The smallest order is {formatNumber(product.minimum_order_quantity)} pieces, and {formatNumber(product.available_quantity)} are
        left.
      </p>
      {hasRelated && <TextLink to="#related">Others of its kind</TextLink>}
    </Panel>
  )
}

function Specifications({ details }: { details: LoaderData['details'] }) {
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
