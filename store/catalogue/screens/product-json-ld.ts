import { storeCurrency } from '#shared/currency.ts'
import { amountToCents, centsToAmount } from '#shared/money.ts'
import type { SaleTerms } from '#shared/sale-terms.ts'
import { shopDay } from '#shared/shop-day.ts'
import { isInStock } from '#store/catalogue/contract.ts'
import type { ProductPage } from '#store/catalogue/product-page-contract.ts'
import { priceSteps } from '#store/catalogue/settle-quantity.ts'
import { maxRating } from '#store/constants.ts'

const formatAmount = (amount: number) => (Number.isInteger(amount) ? `${amount}` : amount.toFixed(2))

/**
 * Structured data of a product page: https://schema.org/Product with its offer, and its reviews where it has some.
 * @param address URL of the page
 * @param tax where something is taxed, each price says whether it contains the tax; an offer itself cannot say it
 */
export function productJsonLd(
  { part, description, category, details, reviews }: ProductPage,
  address: string,
  { tax }: Pick<SaleTerms, 'tax'>,
): object {
  const { name, sku, mpn, brand, price, minimum_order_quantity } = part
  const steps = priceSteps(part)
  const priceCurrency = storeCurrency().code.toUpperCase()
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name,
    description,
    url: address,
    image: new URL(part.img, address).href,
    sku,
    ...(mpn && { mpn }),
    ...(brand && { brand: { '@type': 'Brand', name: brand } }),
    ...(category && { category: category.label }),
    additionalProperty: details.map(({ label, text }) => ({ '@type': 'PropertyValue', name: label, value: text })),
    ...reviewsJsonLd(reviews),
    offers: {
      '@type': 'Offer',
      url: address,
      price: formatAmount(price),
      priceCurrency,
      availability: `https://schema.org/${isInStock(part) ? 'InStock' : 'OutOfStock'}`,
      itemCondition: 'https://schema.org/NewCondition',
      eligibleQuantity: { '@type': 'QuantitativeValue', minValue: minimum_order_quantity, unitCode: 'C62' }, // piece
      ...((tax !== null || steps.some(({ unitPriceCents }) => unitPriceCents !== amountToCents(price))) && {
        priceSpecification: steps.map(({ quantity, unitPriceCents }) => ({
          '@type': 'UnitPriceSpecification',
          price: formatAmount(centsToAmount(unitPriceCents)),
          priceCurrency,
          ...(tax !== null && { valueAddedTaxIncluded: tax === 'included' }),
          eligibleQuantity: { '@type': 'QuantitativeValue', minValue: quantity, unitCode: 'C62' },
        })),
      }),
    },
  }
}

const ratingJsonLd = { bestRating: maxRating, worstRating: 1 }

/** A rating of nothing would be an error to search engines, so where there is no review nothing is said. */
const reviewsJsonLd = ({ count, average, newest }: ProductPage['reviews']) =>
  average !== null && {
    aggregateRating: { '@type': 'AggregateRating', ratingValue: average.toFixed(1), reviewCount: count, ...ratingJsonLd },
    review: newest.map(({ name, rating, about, postedAt }) => ({
      '@type': 'Review',
      author: { '@type': 'Person', name },
      datePublished: shopDay(new Date(postedAt)),
      reviewRating: { '@type': 'Rating', ratingValue: rating, ...ratingJsonLd },
      reviewBody: about,
    })),
  }
