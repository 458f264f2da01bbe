import { writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { snapshotGit } from './install.mjs';

/**
 * Chooses a set of unseen pages and writes its file, such as `unseen.json`. The rule was fixed before any page was opened:
 *
 * 1. An index of public repositories names those with a file of each path in `CANDIDATES`, sorted by name, at most 100.
 *    Rows 1, 11, 21, ... 91 are candidates of `unseen`, rows 3, 13, ... 93 those of `unseen-2`, rows 5, 15, ... 95 those of `unseen-3`,
 *    rows 7, 17, ... 97 those of `unseen-4`, rows 9, 19, ... 99 those of `unseen-5`.
 *    A repository without a snapshot is left out. So is one over `MAX_MB`.
 * 2. A page is an HTML file that links a stylesheet of its own repository. Fragments and shells of bundled
 *    applications link none. Folders of dependencies, sources, tests and partials hold no pages.
 * 3. Each repository gives its first `MAX_PAGES` pages, sorted by path. Pages with missing files stay.
 *
 * No candidate is part of the package, its tests or its other benchmarks.
 * Usage: `UNSEEN_SNAPSHOTS=FOLDER node test/bench/unseen/choose.mjs SET`; FOLDER has one `OWNER+NAME/repo` for each candidate.
 */
const MAX_MB = 35;
const MAX_PAGES = 5;
const NO_PAGE = /(^|\/)(node_modules|bower_components|plugins?|vendors?|partials?|includes?|tests?|src|_[^/]*)\//i;

const CANDIDATES = {
  unseen: {
    'pricing.html': [
      '0-1-1-2-3-5-8-13-21/0-1-1-2-3-5-8-13-21.github.io.github.io',
      '00014927/Online_Accomodation_Booking',
      '00Thirt13n/zacson',
      '024x/app-website',
      '07Dhaval/web1crypto',
      '0gab/tsd',
      '0x-74/layer5',
      '0xTunay/0xtunay.github.io-fitness-center',
      '100000000x/website',
      '1023580387-blip/-',
    ],
    'typography.html': [
      '0312birdzhang/AceAdmin',
      '123goma/Bootstrap',
      '16khare/FInal-Major',
      '20032410/wyd',
      '24monty24/24monty24.github.io',
      '3D-Dev/noot',
      '7-10-614/614',
      'AAI-designer/codingAWebsiteDraft',
      'ACINTYO-MED/docsy',
      'ANANDRAJ383/PMKS',
    ],
    'portfolio-details.html': [
      '0-wook/0-wook.github.io',
      '01nethy/WebMotors',
      '09639096126/jerald0514',
      '0xFikshun/nath-portfolio',
      '10-20TECHNOLOGIES-SARL/10-20TECHNOLOGIES-SARL.github.io',
      '11dristi/Test_pt',
      '12rafay12/My-Portfolio',
      '1999nitu/portfolio',
      '1asmi/Portfolio',
      '2000mostafa/iPortfolio',
    ],
    'blog-single.html': [
      '0000asif/firm-project-template',
      '0513Tim/after',
      '0xbaitan/sample',
      '123Surya496/PathoconDiagnostics',
      '17520216/My-hotel',
      '19DTHA6-WibuTeam/QuanLyTrungTamGiaSu',
      '1stprincipleslab/1stprincipleslab.github.io',
      '2131990139/2131990139.github.io',
      '2bona/cagortech',
      '3KR4/Blink',
    ],
    'components.html': [
      '0-Forester-0/Forester.github.io',
      '0x4248/systems.0x4248.dev',
      '122jmooney/quiz.io',
      '14752222/gox-website',
      '1realdrew/pauldrew',
      '26floflo26/flower',
      '39wss/tomorrow-house',
      '4ujaya1090-ui/4ujaya1090-ui.github.io',
      '7bladii/cannolitaly',
      'AIMasterRace/thebinaryhcm-static',
    ],
    'docs/getting-started.html': [
      '007krcs/analytics-builder',
      '195440/f7',
      'AAR71/MyBOOSEDocs',
      'ASKKPOP/Noesis',
      'AcklenAvenue/design',
      'Agions/Voxplore',
      'Akshar2325/reward-geni-client-api-docs',
      'AlexandreRoy-dev/mbproduction',
      'Amthal-Group/amthal-portal-sdk',
      'Anmol131/Medium_Scale_Software_Engineering_Project.github.io',
    ],
  },
  'unseen-2': {
    'gallery.html': [
      '0-ZENTECH-0/ANGELDALE',
      '0-chrollo/steel4pound',
      '00018503/web-technology-cw',
      '0065-datascientist/WEB',
      '00AbHi00/portfolioforfriend',
      '00jnr00/00jnr00',
      '0110124254-create/Fulltack-Web-Develover',
      '01AmaanShaikh/Student-Evaluation-System',
      '01bholebhakt-cpu/krishnaclinic',
      '0208nahgi/OwO',
    ],
    'faq.html': [
      'HAU-Data-Repo/data_repo',
      'HCJJY123/visfurn-wood-door-main',
      'HEISTHEWAY/sbank-site',
      'HGOG/HGOG.github.io',
      'HIMATIF-UNIMAL/dies-natalis-teknik-informatika-unimal',
      'HKevinH/PrototypesHtmls',
      'HMessi/StudentAirBnB',
      'HP168168/chinamede_website',
      'HSF237/ryze',
      'HTML5GameJamParis/website',
    ],
    'checkout.html': [
      'MikeMoore55/TimeKing',
      'MikeyAMoore/GamesSpike-Project',
      'MikiP85/BeerProject-E-Commerce',
      'MikyMack/Qliq-care',
      'Milchtausch/bakewhim',
      'MillionaireD/L3x_Tienda',
      'Min-Thway-Htut/Restaurant-Website',
      'MinaNiazzyLLC/minaniazzy',
      'Mindset25/mindset-website',
      'MinhBuiCong/Course-assignment-project',
    ],
    'services.html': [
      'mananbansal2002/Ms_azure2022',
      'manarbahy/Portfolio-manar',
      'manasalbum321-dotcom/manas.files',
      'manasi-jain/food-recipes-website',
      'manasnr16/allanhealthconsultancy',
      'manav-bugs/Home-Service-HTML-CSS',
      'manavpatel1310/nova-sync-portfolio',
      'mancode77/blm-politama',
      'mandeep1806/mandeep.github.io',
      'manderajackson/yahshua-medical-website',
    ],
  },
  'unseen-3': {
    'product.html': [
      '00019333wiut/Paco_Rabanne.github.io',
      '00610069003400690061/00610069003400690061.github.io',
      '017Mehul/mirae-ugc-store',
      '01sikG10/socialtech',
      '02ajy/ecommercewebsite',
      '036Carlos/deploy',
      '04pq/C',
      '06202003/KulitAbdi.Co',
      '07faizanali/Stories-Arabic-FZ-Assesment',
      '0971657401/Demo1',
    ],
    'team.html': [
      '00011224/DesireWebsite',
      '001rupesh/new',
      '00jun/kithub',
      '00tatheer00/daastanclub',
      '018desmond/mobirise',
      '0321220joss/proyecto',
      '062398/data-lab.github.io',
      '07YASH07/Inventory-management-system',
      '0AYU0/HH',
      '0lympusTechnologies/0lympusTechnologies.github.io',
    ],
    'elements.html': [
      '01Dave01/EStore',
      '0Auth0/0Auth0.github.io',
      '0xHuey/0xHuey.github.io',
      '1054096100/AoPi.github.io',
      '123Noel/LUISElmer',
      '12a3-TN1/tapsan',
      '16cameronk/seniorproject',
      '18F/ED-Developer-Hub',
      '1Abdullah-Salem/Abdullahthe-anaylyst',
      '1stfrancobi/Francobby-Portfolio',
    ],
    '404.html': [
      'benJi-002/WebSpace-test',
      'benadvcom/benadv.com',
      'benallard/datafaker',
      'benaryaau-art/benarian-website',
      'benathi/bensblogs',
      'benazcueta/ng5',
      'benbankes/benbankes.github.io',
      'benbenbang/tombo',
      'benbipes/johannsfolly',
      'benbrehaut/noisecreations',
    ],
  },
  'unseen-4': {
    'charts.html': [
      '0xecho/side-work-hour-trend-chart',
      '201-project/qam2',
      '3n3MeDo/NTI-Covid-Prediction',
      '924ian/paopao12345.github.io',
      'APIs-guru/openapi-directory',
      'AaronPersonal/StormTracker',
      'Abhii039/nifty50',
      'Adam-Koza/TrustMyBunz',
      'Adnagulov/tracker',
      'AgatZan/first-site',
    ],
    'landing.html': [
      '00kae/dnd-task-force',
      '02-rendra-pplg/rendra-revolusi2024',
      '072786/landing-page',
      '0baraa/Productivity-Valley',
      '0x0mayer0x0-cyber/mindflow-bot',
      '0xethermatt/goldsteinhq',
      '10Javier/App_Dulce_Ganancia',
      '11qaq11/TsCameraTools',
      '123diso/por-si-aca',
      '13507-IN/Serenity',
    ],
    'index-2.html': [
      '00ZRHun/newasiaacademy',
      '02092006guru/web-development-basics-',
      '07Manfaily/windows_alberto_manf',
      '0jkk005/test_site',
      '100xent/100xent.github.io',
      '11adriang/game',
      '12yash-crypto/Pd-Manager',
      '1492949083/Simple-Web',
      '16507/ConvertLab',
      '18819808012/emall',
    ],
    'about-us.html': [
      '0010-0001/CICJ-ICMS-NEW-',
      '02rasjac/laxhjalpen',
      '07Figo/testing',
      '09009090029/Residency',
      '0bastarrachea/tcapital',
      '0xEmma/wearethetruecloud',
      '0xmihirsahu/Donatic',
      '1-DB-1/aristocrat-task-dragana',
      '10827271/Multimedia_Final_2023.github.io',
      '110124205032-sudo/mpsd-technologies',
    ],
  },
  'unseen-5': {
    'services.html': [
      'MadhavareddyErugula/WEB-Task-2',
      'Madhu-235/DineWithUs',
      'MadhuBejawada/ccmfinity-site',
      'Madhukeyrun/finalpro',
      'Madhumitha005/Grid',
      'MadhurJ20/A5Fitness',
      'Madhurnarang72/madhurnarang72.github.io',
      'Madiha-I/assignment-4',
      'Madmire/GID-Sarl',
      'MadsPalu/BetterGreenlead',
    ],
    'shop.html': [
      '00021963/catsandfriends.uz',
      '007ebey/skillNova',
      '01091973QwerT/12',
      '017forever/flower-language',
      '01tim01/MMA23b-CL1-kickback',
      '02B4/basics-of-web-design-final',
      '0321nika/eccomerce',
      '04pq/CRIMSON-CFW',
      '05rahmatulloh/web_himatif',
      '07arwen07/Smoothie_website',
    ],
    'timeline.html': [
      '0665422/Synthesis-Website',
      '0x-jerry/blog',
      '100bhagya/MyAnalyticsSchool',
      '12343-arch/kaled-yones',
      '12hitanshi/12hitanshi.github.io',
      '1738100406/QQ-QQzone',
      '1primavera/profile',
      '22X3013/my-ttx',
      '24kgolden/firts_portfolio',
      '3216311ktt/daily_report_app',
    ],
    'home.html': [
      '0-R3X/Strengthetics',
      '0-isk-0/literacy',
      '00009252/CS-of-cw',
      '00015541/15541.github.io',
      '000SMS000/bakery-website',
      '00173dalim/CIS241',
      '0023252/Website_assessment',
      '005abhi/Covid-19',
      '007Galvan/Vinicola-la-Estaci-n',
      '00861ankit/digitalcitizenship-',
    ],
  },
};

if (!process.env.UNSEEN_SNAPSHOTS) throw new Error('UNSEEN_SNAPSHOTS is not set: it names the folder of the snapshots');

const [name] = process.argv.slice(2);
const candidates = CANDIDATES[name];
if (!candidates) throw new Error(`the set is ${name}: use ${Object.keys(CANDIDATES).join(' or ')}`);

const chosen = [];
for (const repository of Object.values(candidates).flat()) {
  const git = snapshotGit(repository);
  const taken = git ? choosePages(git) : 'no snapshot';
  process.stdout.write(`${repository}: ${typeof taken === 'string' ? taken : `${taken.length} pages`}\n`);
  if (typeof taken !== 'string' && taken.length > 0)
    chosen.push({ repository, commit: git(['rev-parse', 'HEAD']).trim(), pages: taken });
}
writeFileSync(new URL(`${name}.json`, import.meta.url), `${JSON.stringify(chosen, null, 2)}\n`);
process.stdout.write(`${chosen.flatMap(({ pages }) => pages).length} pages of ${chosen.length} repositories\n`);

function choosePages(git) {
  const files = git(['ls-tree', '-r', '-l', '-z', 'HEAD']).split('\0').filter(Boolean).map(readEntry);
  const mb = files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
  if (mb > MAX_MB) return `${mb.toFixed(0)} MB`;
  const paths = new Set(files.map(({ path }) => path));
  const pages = [];
  for (const path of [...paths].filter((path) => path.endsWith('.html') && !NO_PAGE.test(path)).sort()) {
    if (linksStylesheet(readText(git, path), path, paths)) pages.push(path);
    if (pages.length === MAX_PAGES) break;
  }
  return pages;
}

/** Returns the text of a file. A snapshot lacks its largest files. */
function readText(git, path) {
  try {
    return git(['show', `HEAD:${path}`], { stdio: 'pipe' });
  } catch {
    return '';
  }
}

function readEntry(line) {
  const [head, path] = line.split('\t');
  return { path, bytes: Number(head.split(/\s+/)[3]) || 0 };
}

function linksStylesheet(html, page, paths) {
  const links = [...html.matchAll(/<link\b[^>]*\bhref\s*=\s*["']?([^"'\s>?#]+)/gi)].map(([, href]) => href);
  return links.some(
    (href) => href.endsWith('.css') && paths.has(posix.join(href.startsWith('/') ? '' : posix.dirname(page), href)),
  );
}
