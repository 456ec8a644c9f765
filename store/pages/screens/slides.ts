import { formatNumber } from '#shared/format-number.ts'
/** Numbers displayed on the first slide. */
export type CatalogueTotals = { count: number; inStock: number; smallestOrder: number }

export type Slide = { title: string; text: string; to: string; link: string; picture: string }

/** The offers of the banner. Created in the loader, so that the texts are not part of the page's script. Each must be true of this shop. */
export const slides = ({ count, inStock, smallestOrder }: CatalogueTotals): Slide[] => [
  {
    title: 'Computer parts and tools in quantities, for workshops and builders',
    text:
      count > 0
        ? `${formatNumber(count)} products, ${formatNumber(inStock)} of them in stock. Orders start at ${smallestOrder === 1 ? '1 piece' : `${formatNumber(smallestOrder)} pieces`}, and price, stock and minimum stand on every product.`
        : 'Price, stock and minimum stand on every product, before you sign in.',
    to: '/allproducts',
    link: count > 0 ? `See all ${formatNumber(count)} products` : 'See all products',
    picture: '/drawings/banner-1.svg',
  },
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
]
