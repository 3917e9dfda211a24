import type { SpokenLanguage } from "./languages.ts";

/** Words that decide whether a period ends a sentence; lower case, separated by spaces, without the last period. */
interface SentenceWords {
  /** Abbreviations that stand before something: no sentence ends with them. */
  inside: string;
  /** Words that are abbreviations only before a number, where no sentence ends. */
  numbered?: string;
  /** Abbreviations that a sentence may end with. */
  anywhere?: string;
  /** Words that sentences begin with, and that names and nouns seldom are. */
  starters?: string;
}

/** English and titles in a text of another script. */
const latin = "dr mr mrs ms prof st vs fig vol e.g i.e al cf";

/** Of languages whose abbreviations are not known. */
export const otherWords: SentenceWords = { inside: latin, numbered: "no" };

/** Croatian, Bosnian, Slovene, and Serbian and Macedonian in both scripts. */
const southSlavic: SentenceWords = {
  inside: `${latin} ing inž npr tj tzv ul oz t.i проф др мр инж нпр тј тзв ул`,
  numbered: "sl tab str br čl сл таб стр бр чл",
  anywhere: "itd sl итд сл",
};

export const sentenceWords: Partial<Record<SpokenLanguage, SentenceWords>> = {
  en: {
    inside:
      "mr mrs ms dr prof st mt gen sen gov capt sgt lt messrs vs e.g i.e cf fig figs eq eqs vol pp ch sec approx",
    numbered: "no jan feb mar apr jun jul aug sep sept oct nov dec",
    anywhere: "etc jr sr inc ltd co corp dept est ave ca incl min max al",
    starters:
      "the a an this that these those it he she we they you i his her our my your its their there here then now so but and or if when while as because what why how who where which in on at by for from with to after before since until during one some all most many no not yes let also however both each every another next finally well please today instead although though thus",
  },
  de: {
    inside:
      "dr prof hr fr nr abb abs bd bzw ca vgl evtl ggf sog geb gest inkl exkl lat griech engl frz ehem allg bes tab kap ders dies hrsg hl st mag dipl ing phil med rer nat jur fig aufl z.b d.h",
    anywhere: "usw etc chr jh jhd mio mrd std min sek uvm u.a u.u o.ä u.ä a.d v.chr n.chr",
    starters:
      "das die der dies diese dieser dieses es er sie wir ich ihr man und oder aber doch denn dann danach dabei damit dazu dagegen daher darum deshalb dennoch trotzdem ein eine einen im in am an auf aus bei mit nach von vor zu zum zur für über unter seit während wenn weil als wie was warum wer wo hier heute jetzt nun so also auch erst nur nicht kein keine sein seine unser unsere nächste nächster nächstes zuerst zunächst weiter später schließlich außerdem genau ja nein",
  },
  fr: {
    inside:
      "m mm mme mmes mlle mgr dr pr prof st ste p pp ex cf chap fig vol art éd env av apr max min no nos tél réf bd",
    anywhere: "etc j.-c j-c ibid",
    starters:
      "le la les l un une des ce cet cette ces c il elle ils elles on nous vous je et mais or donc puis ensuite alors en dans à au aux sur pour par avec sans si quand comme que qui pourquoi comment où voici voilà ainsi enfin d après avant chaque tout",
  },
  es: {
    inside:
      "sr sra sres srta dr dra prof profa ing lic d dña ud uds vd vds ej pág págs p pp núm núms art cap fig vol aprox av avda tel ed gral cía sto sta ee v gob",
    anywhere: "etc a.c d.c ibíd",
    starters:
      "el la los las lo un una unos unas este esta estos estas esto eso ese esa es en y pero o entonces luego después así por para con sin si no cuando como qué que quién cómo cuándo dónde se su sus al a de del hoy ahora aquí también además sin nosotros ustedes yo él ella ellos ya",
  },
  it: {
    inside:
      "sig sigg sig.ra dott dr prof avv ing arch on pag pagg p pp es n nn art cap fig vol cfr ca ss s st max min tel ed c.d dott.ssa prof.ssa",
    anywhere: "ecc etc a.c d.c",
    starters:
      "il lo la i gli le l un uno una questo questa questi queste quello quella è e ma o poi quindi allora dopo così in nel nella per con senza se quando come che chi cosa perché dove non si su da di del della a al alla oggi ora adesso qui anche noi voi lui lei loro infine",
  },
  pt: {
    inside:
      "sr sra srs sras srta dr dra drs prof profa eng exmo exma d dom pág págs p pp ex núm art cap fig vol aprox av tel ed séc sto sta v obs",
    anywhere: "etc a.c d.c",
    starters:
      "o a os as um uma este esta isto isso esse essa aquele é em no na nos nas e mas ou então depois assim por para com sem se quando como que quem onde não de do da dos das ao à hoje agora aqui também além nós eles elas ele ela eu já",
  },
  ru: {
    inside:
      "ок см ср рис стр с гл т ст п.п им ул проф акад доц напр т.е т.к т.н табл пер просп пл св мл ред изд г-н г-жа нач",
    anywhere: "д п др пр г гг в вв э н.э руб коп тыс т.д т.п",
    starters:
      "и а но или да в во на с со к о об от до для из за по при под над у это этот эта эти он она они оно мы вы я так такой такая как когда если что кто где почему зачем потом затем поэтому однако тогда теперь сегодня здесь там не все всё после именно например наконец есть",
  },
  nl: {
    inside: `${latin} dhr mevr bijv bv d.w.z m.b.t i.v.m o.a t.a.v afb nr blz pag ca resp vgl zgn`,
    numbered: "no",
    anywhere: "enz etc",
  },
  pl: {
    inside: `${latin} mgr inż np tzn tj m.in rys tab str nr ul św por wg`,
    anywhere: "itd itp etc",
  },
  cs: {
    inside: `${latin} ing mgr např tj tzv tzn obr tab str č čl resp cca sv`,
    anywhere: "atd apod aj",
  },
  sv: {
    inside: `${latin} t.ex bl.a dvs d.v.s ca s.k f.d nr kl jfr resp`,
    anywhere: "osv etc m.m",
  },
  da: {
    inside: `${latin} f.eks bl.a dvs ca nr kl jf resp hhv pga mht`,
    anywhere: "osv mv m.m",
  },
  no: {
    inside: `${latin} f.eks bl.a dvs ca nr kl jf resp hhv pga mht`,
    anywhere: "osv mv m.m",
  },
  fi: {
    inside: `${latin} esim mm ns nk taul nro vrt ks toht mr`,
    anywhere: "jne ym yms",
  },
  hu: {
    inside: `${latin} pl ún ill kb ld ifj özv`,
    anywhere: "stb",
  },
  sk: {
    inside: `${latin} ing mgr napr tj tzv tzn obr tab str č čl resp cca sv`,
    anywhere: "atď apod",
  },
  sl: southSlavic,
  hr: southSlavic,
  bs: southSlavic,
  sr: southSlavic,
  mk: southSlavic,
  bg: {
    inside: `${latin} вж фиг табл стр гл проф доц инж акад напр т.е т.нар ул бул г-н г-жа г-ца чл`,
    anywhere: "др т.н пр г в лв хил млн млрд",
  },
  be: {
    inside: "рыс мал гл табл праф дац напр т.зв вул",
    anywhere: "г.д т.п інш г",
  },
  ro: {
    inside: `${latin} dl dna d-l d-na dra ing av nr pag tab cap art str bd ex ed`,
    anywhere: "etc ș.a ș.a.m.d d.hr î.hr",
  },
  ca: {
    inside: `${latin} sr sra srs dra ex p.ex pàg pàgs núm cap art av tel ed`,
    anywhere: "etc",
  },
  gl: {
    inside: `${latin} sr sra srs dra ex p.ex páx páxs núm cap art av tel ed`,
    anywhere: "etc",
  },
  el: {
    inside: "κ κα κκ δρ καθ π.χ λ.χ δηλ βλ εικ πίν σχ σελ αρ τηλ κεφ τ.μ",
    anywhere: "κλπ κ.λπ κτλ κ.τ.λ κ.ά μ.χ",
  },
  id: {
    inside: `${latin} mis gbr hlm hal tgl bpk jl ir drs yth tab`,
    numbered: "no",
    anywhere: "dll dst dsb",
  },
  ms: {
    inside: `${latin} hlm jld en pn cth`,
    numbered: "no",
    anywhere: "dll dsb",
  },
  vi: {
    inside: `${latin} ts ths gs pgs ks tp vd`,
    numbered: "tr q h",
    anywhere: "v.v vv",
  },
  lt: { inside: `${latin} pvz pav lent psl doc žr nr t.y`, anywhere: "t.t pan kt" },
  lv: { inside: `${latin} piem att tab lpp doc nr t.i`, anywhere: "utt u.c" },
  et: { inside: `${latin} nt joon tab lk vt nr`, anywhere: "jne jm" },
  tr: {
    inside: `${latin} doç av örn bkz şek tab cad sok mah yy`,
    numbered: "no",
    anywhere: "vb vd",
  },
  uk: {
    inside: "рис див стор ст проф акад доц ім вул табл пор напр т.зв т.к гл",
    anywhere: "т.д т.п ін рр грн тис н.е",
  },
  ja: { inside: latin, numbered: "no" },
  zh: { inside: latin, numbered: "no" },
  ko: { inside: latin, numbered: "no" },
  ar: { inside: `${latin} ص ج ط تح` },
  hi: {
    inside: `${latin} डॉ प्रो पं सं कि मी सेमी ई पू रु पृ लि कु सु श्री ए बी सी डी एफ एच आई जे के एल एम एन पी आर एस टी यू वी`,
  },
};
