import { data, type MetaDescriptor } from 'react-router'
import { formatDay } from '#shared/format-day.ts'
import { formatNumber } from '#shared/format-number.ts'
import { formatLeft, formatPieces } from '#shared/format-pieces.ts'
import { labelWithinSentence } from '#shared/label-within-sentence.ts'
import { amountToCents, formatCents } from '#shared/money.ts'
import { shopDay } from '#shared/shop-day.ts'
import type { ProductDetails } from '#store/catalogue/contract.ts'
import { expectedArrival } from '#store/catalogue/incoming-stock.ts'
import { type ProductPage, showProductPage } from '#store/catalogue/product-page-contract.ts'
import { termsForBuyer } from '#store/catalogue/settle-quantity.ts'
import { maxComparedProducts, similarPriceRange } from '#store/constants.ts'
import { cacheUntilChanged } from '#store/topics.ts'
import { apiCallerContext } from '#web/api-caller.ts'
import { BelowFold } from '#web/below-fold.tsx'
import { Breadcrumbs } from '#web/breadcrumbs.tsx'
import { ButtonLink } from '#web/button.tsx'
import { rethrowAsNotFound } from '#web/call-api.ts'
import { socialImageMeta } from '#web/page-meta.ts'
import { Panel } from '#web/panel.tsx'
import { shopConfigContext } from '#web/shop-config.ts'
import { TextLink } from '#web/text-link.tsx'
import type { Route } from './+types/product'
import { findProductDataNotices } from './data-notices.ts'
import { FamilyChoices } from './family-choices.tsx'
import { GoesWithProducts } from './goes-with-products.tsx'
import { Notices } from './notices.tsx'
import { ProductDrawing } from './product-drawing.tsx'
import { type DisplayedProduct, PrintedAddress, ProductHeader } from './product-header.tsx'
import { productJsonLd } from './product-json-ld.ts'
import { QuantityForm } from './quantity-form.tsx'
import { RelatedProducts } from './related-products.tsx'
import { displayedReview, excerptOf, formatRating } from './review-texts.ts'
import { ReviewsSection } from './reviews-section.tsx'
import { KeyFacts, Specifications } from './specifications.tsx'
import { useOwnPrice } from './use-own-price.ts'
import { withOrderFigures } from './with-order-figures.ts'

export async function loader({ params, request, context }: Route.LoaderArgs) {
  const shown = await context
    .get(apiCallerContext)(showProductPage, { params: { id: params.id } })
    .catch(rethrowAsNotFound)
  const { part, category, family, related, replacements, goes_with: goesWith } = shown
  const newest = shown.reviews.newest.map((review) => ({ ...review, about: excerptOf(review.about) }))
  const { origin, searchParams } = new URL(request.url)
  const address = `${origin}/products/${part._id}`
  const { specs, ...rest } = part // `details` contains them as text
  const shownProducts = [part, ...related, ...replacements.map((one) => one.part), ...goesWith.flatMap(({ parts }) => parts)]
  return data(
    {
      part: withOrderFigures(rest),
      description: shown.description,
      arrival: arrivalOf(part),
      loweredOn: part.lowered && formatDay(shopDay(new Date(part.lowered.since))),
      category,
      details: shown.details,
      documents: shown.documents,
      drawing: shown.drawing,
      family,
      others: [
        ...replacements.map(({ part: other, ...compared }) => ({ ...withOrderFigures(other), ...compared })),
        ...related.map(({ description, specs, ...other }) => withOrderFigures(other)),
      ],
      othersHeading: othersHeading(category?.label, part, shown),
      goesWith: goesWith.map(({ parts, ...group }) => ({ ...group, parts: parts.map(withOrderFigures) })),
      delivery: shown.delivery,
      rating: formatRating(shown.reviews),
      reviews: { ...shown.reviews, newest: newest.map(displayedReview) },
      print: { qrCode: shown.qr_code, day: formatDay(shopDay(new Date())) }, // a page is kept for a minute at most
      wanted: searchParams.get('quantity') ?? '',
      meta: productMeta(
        part,
        address,
        summaryOf(shown),
        productJsonLd({ ...shown, reviews: { ...shown.reviews, newest } }, address, context.get(shopConfigContext).saleTerms),
      ),
      notices: findProductDataNotices(shownProducts),
    },
    {
      headers: cacheUntilChanged(
        'listings',
        `reviews:${part._id}`,
        ...[...family, ...shownProducts].map(({ _id }) => `product:${_id}` as const),
      ),
    },
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
function summaryOf({ part, category, description }: ProductPage): string {
  const isWritten = description === part.description // otherwise it says kind and part number itself
  const facts = [
    isWritten && part.mpn && `part number ${part.mpn}`,
    `${formatCents(amountToCents(part.price))} each`,
    `minimum ${formatNumber(part.minimum_order_quantity)}`,
  ].filter(Boolean)
  const summary = `${isWritten ? `${category?.label ?? 'Part'}: ` : ''}${facts.join(', ')}. ${description}`
  return summary.length > 200 ? `${summary.slice(0, 197)}...` : summary
}

function arrivalOf(part: ProductDetails) {
  const arrival = expectedArrival(part)
  return arrival ? { pieces: arrival.quantity, day: formatDay(arrival.date) } : null
}

type LoaderData = Route.ComponentProps['loaderData']

export default function Product({ loaderData }: Route.ComponentProps) {
  const { part, description, drawing, arrival, loweredOn, delivery, category, details, family, others, print, wanted, rating } = loaderData
  const offered = termsForBuyer(part, useOwnPrice(part._id))
  return (
    <main
      id="main"
      tabIndex={-1}
      className="mx-auto flex w-full max-w-page flex-col gap-10 px-4 py-4 sm:px-6 sm:py-6 print:gap-5 print:p-0"
    >
      <div className="flex flex-col gap-4">
        <Breadcrumbs
          steps={[
            { label: 'All tools', to: '/allproducts' },
            ...(category ? [{ label: category.label, to: `/allproducts?category=${encodeURIComponent(category.value)}` }] : []),
          ]}
        />
        <div className="grid gap-x-10 gap-y-4 md:grid-cols-2 md:grid-rows-[auto_1fr] print:grid-cols-2 print:grid-rows-[auto_1fr]">
          <div className="flex min-w-0 flex-col gap-4 md:col-start-2 print:col-start-2">
            <ProductHeader product={part} offered={offered} arrival={arrival} loweredOn={loweredOn} delivery={delivery} rating={rating} />
            {part.inStock ? (
              <QuantityForm key={part._id} product={offered} wanted={wanted} />
            ) : (
              <OutOfStockPanel product={part} hasOthers={others.length > 0} />
            )}
            {family.length > 0 && <FamilyChoices family={family} shownId={part._id} />}
          </div>
          <div className="flex min-w-0 flex-col gap-4 md:col-start-1 md:row-span-2 md:row-start-1 print:col-start-1 print:row-span-2 print:row-start-1">
            <ProductDrawing product={part} drawing={drawing} />
            <KeyFacts details={details} />
            <PrintedAddress sku={part.sku} print={print} />
          </div>
          <Description text={description} />
        </div>
      </div>
      <BelowFold key={part._id}>
        <MoreOfProduct {...loaderData} />
      </BelowFold>
    </main>
  )
}

type MoreOfProductProps = Pick<
  LoaderData,
  'part' | 'details' | 'documents' | 'others' | 'othersHeading' | 'goesWith' | 'notices' | 'reviews'
>

function MoreOfProduct({ part, details, documents, others, othersHeading, goesWith, notices, reviews }: MoreOfProductProps) {
  const isNarrow = goesWith.length === 0 && details.length > 0
  const othersSection = others.length > 0 && <OtherProducts {...{ part, others, isNarrow }} heading={othersHeading} />
  return (
    <>
      <div className="grid gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        {(details.length > 0 || documents.length > 0) && <Specifications details={details} documents={documents} />}
        {goesWith.length > 0 ? <GoesWithProducts groups={goesWith} /> : othersSection}
      </div>
      {goesWith.length > 0 && othersSection}
      <ReviewsSection productId={part._id} reviews={reviews} />
      <Notices notices={notices} />
    </>
  )
}

const Description = ({ text }: { text: string }) => (
  <section aria-labelledby="description" className="flex min-w-0 flex-col gap-1 md:col-start-2 print:col-start-2">
    <h2 id="description" className="text-base font-semibold">
      Description
    </h2>
    {/* on paper so much of it that the sheet is one: its code leads to the rest */}
    <p className="max-w-read whitespace-pre-line print:line-clamp-16">{text}</p>
  </section>
)

type OtherProductsProps = Pick<LoaderData, 'part' | 'others'> & {
  heading: string
  /** in one column, beside the specifications */
  isNarrow: boolean
}

function OtherProducts({ part, others, heading, isNarrow }: OtherProductsProps) {
  const compared = [part, ...others.filter(({ inStock }) => inStock)].slice(0, maxComparedProducts)
  return (
    <section aria-labelledby="others" className="flex min-w-0 flex-col gap-4 print:hidden">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 id="others" className="text-xl">
          {heading}
        </h2>
        {compared.length > 1 && (
          <ButtonLink to={`/compare?${compared.map(({ _id }) => `id=${_id}`).join('&')}`} variant="quiet">
            Compare with {compared.length - 1} of them
          </ButtonLink>
        )}
      </div>
      <RelatedProducts products={others} isNarrow={isNarrow} />
    </section>
  )
}

/** The related products are all at about the price of the product, or none of them is (`showProductPage`). */
function othersHeading(category: string | undefined, part: { price: number }, { replacements, related }: ProductPage): string {
  if (!category) return 'Others like it'
  const others = `Other ${labelWithinSentence(category)}`
  if (replacements.length > 0) return `${others} that can replace it`
  const [first] = related
  const { from, to } = similarPriceRange(part.price)
  return first && first.price >= from && first.price <= to ? `${others} at about this price` : others
}

function OutOfStockPanel({ product, hasOthers }: { product: DisplayedProduct; hasOthers: boolean }) {
  return (
    <Panel className="flex flex-col items-start gap-3">
      <p>
        The smallest order is {formatPieces(product.minimum_order_quantity)}, and {formatLeft(product.available_quantity)}.
      </p>
      {hasOthers && <TextLink to="#others">Others of its kind</TextLink>}
    </Panel>
  )
}
