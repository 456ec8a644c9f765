import { Carousel } from '#web/carousel.tsx'
import { Icon, type IconName, iconNames } from '#web/icon.tsx'
import { Panel } from '#web/panel.tsx'

/* Samples of the component gallery (design.tsx): colours, sizes, icons and drawings. */

const colourPairs: { background: string; foregrounds: string[] }[] = [
  { background: 'ground', foregrounds: ['ink', 'soft', 'leaf', 'copper', 'bad', 'good', 'warn'] },
  { background: 'panel', foregrounds: ['ink', 'soft', 'leaf', 'copper', 'bad', 'good', 'warn'] },
  { background: 'tint', foregrounds: ['ink', 'soft', 'leaf', 'good'] },
  { background: 'copper', foregrounds: ['on-copper'] },
  { background: 'copper-deep', foregrounds: ['on-copper'] },
  { background: 'board', foregrounds: ['silk', 'silk-soft', 'gold'] },
  { background: 'good-tint', foregrounds: ['good', 'ink'] },
  { background: 'bad-tint', foregrounds: ['bad', 'ink'] },
  { background: 'warn-tint', foregrounds: ['warn', 'ink'] },
]

/** Every background colour with its permitted text colours. */
export function ColourSamples() {
  return (
    <ul className="grid grid-cols-2 gap-3 md:grid-cols-3 lg:grid-cols-5">
      {colourPairs.map(({ background, foregrounds }) => (
        <li key={background} className="rounded border border-line p-3 text-sm" style={{ background: `var(--${background})` }}>
          {foregrounds.map((colour) => (
            <p key={colour} style={{ color: `var(--${colour})` }}>
              {colour} on {background}
            </p>
          ))}
        </li>
      ))}
      <li className="flex flex-col gap-1 text-sm">
        Lines: <span className="border-b-2 border-line">line</span> <span className="border-b-2 border-edge">edge</span>
        <span className="on-board border-b-2 border-trace">trace</span> <span className="border-b-2 border-focus">focus</span>
      </li>
    </ul>
  )
}

const sizes = ['text-5xl', 'text-4xl', 'text-3xl', 'text-2xl', 'text-xl', 'text-lg', 'text-base', 'text-sm']

export function TypeSamples() {
  return (
    <>
      {sizes.map((size) => (
        <p key={size} className={size}>
          One board, one hand <span className="figures">CMK16GX4M2B3200C16 $1,250</span> <span className="text-soft">{size}</span>
        </p>
      ))}
    </>
  )
}

export function SpaceSamples() {
  return (
    <div className="flex flex-wrap items-end gap-4">
      {['size-1', 'size-2', 'size-3', 'size-4', 'size-6', 'size-8', 'size-10', 'size-16'].map((size) => (
        <div key={size} className="text-center text-sm text-soft">
          <div className={`mx-auto bg-leaf ${size}`} />
          {size.replace('size-', '')} x 4 px
        </div>
      ))}
      <div className="rounded border border-line bg-panel p-4 text-sm">one radius</div>
      <div className="rounded bg-panel p-4 text-sm shadow">one shadow</div>
    </div>
  )
}

export function IconSamples() {
  return (
    <ul className="flex flex-wrap gap-4">
      {iconNames.map((name: IconName) => (
        <li key={name} className="flex w-20 flex-col items-center gap-1 text-center text-sm text-soft">
          <Icon name={name} className="size-6 text-ink" />
          {name}
        </li>
      ))}
    </ul>
  )
}

const drawings = Object.keys(import.meta.glob('/public/drawings/*.svg', { query: '?url' })).map((file) => file.replace('/public', ''))

export function DrawingSamples() {
  return (
    <ul className="grid grid-cols-2 gap-3 sm:grid-cols-4 lg:grid-cols-6">
      {drawings.map((file) => (
        <li key={file} className={`rounded p-2 text-center text-sm ${file.includes('banner') ? 'on-board' : 'bg-tint'}`}>
          <img src={file} alt="" width="240" height="160" loading="lazy" className="h-auto w-full" />
          {file.replace('/drawings/', '').replace('.svg', '')}
        </li>
      ))}
    </ul>
  )
}

export function CarouselSample() {
  return (
    <Carousel label="Examples" rowClassName="gap-4">
      {drawings.slice(0, 12).map((file) => (
        <Panel key={file} className="w-60 shrink-0 snap-start">
          <img src={file} alt="" width="240" height="160" />
        </Panel>
      ))}
    </Carousel>
  )
}
