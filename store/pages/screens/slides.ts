import type { HomeSection, HomeSectionKind, OfferedProduct } from './home-sections.ts'

export type Slide =
  | { label: string; product: OfferedProduct }
  /** where there are too few products to offer: what the shop does */
  | { title: string; text: string; to: string; link: string; picture: string }

const slideCount = 5
const labels: Record<HomeSectionKind, string> = { sells: 'Sells now', lowered: 'Price lowered', new: 'New' }

/** The offers of the banner: the first product of each section, then the second of each. Called in the loader, so that the page's script has none of these words. */
export function slidesOf(sections: HomeSection[]): Slide[] {
  const products = Array.from({ length: slideCount }, (_, place) =>
    sections.flatMap(({ kind, products: { [place]: product } }) => (product ? [{ label: labels[kind], product }] : [])),
  )
  return [...products.flat(), ...fallbackSlides].slice(0, slideCount)
}

const fallbackSlides: Slide[] = [
  {
    title: 'The stock you see is the stock we have',
    text: 'An order takes its pieces off the shelf at once, and nobody can order more than lies there.',
    to: '/allproducts',
    link: 'See what is in stock',
    picture: '/drawings/banner-2.svg',
  },
  {
    title: 'A minimum that fits a workbench',
    text: 'Every product says how many pieces you order at least and what they cost together.',
    to: '/#tools-available',
    link: 'Compare minimums',
    picture: '/drawings/banner-3.svg',
  },
  {
    title: 'Order first, then pay by card',
    text: 'Your pieces are held while you pay. The card number goes to the payment provider and never to us.',
    to: '/register',
    link: 'Register to order',
    picture: '/drawings/banner-4.svg',
  },
  {
    title: 'Five questions, five plain answers',
    text: 'Our blog explains how shops like this one are built: React, its state, searching products and testing.',
    to: '/blogs',
    link: 'Read the blog',
    picture: '/drawings/banner-5.svg',
  },
  {
    title: 'Everything we sell, in one list',
    text: 'Filter by what a part must be able to do, compare up to four, and order from the list.',
    to: '/allproducts',
    link: 'See all products',
    picture: '/drawings/banner-1.svg',
  },
]
