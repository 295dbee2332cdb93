/**
 * Domains in which everybody can have an address: of providers of mail, of access to the internet, and of throwaway
 * mailboxes. An address in one of them says nothing about who somebody works with. The list has the well-known ones; it
 * cannot be complete.
 */
const PUBLIC_DOMAINS = new Set(
  `
    10minutemail.com 126.com 139.com 163.com 189.cn 1und1.de 21cn.com 33mail.com 9online.fr a1.net abv.bg
    addy.io aim.com alice-dsl.net alice.de alice.it aliceadsl.fr aliyun.com ameritech.net anonaddy.com
    aol.co.uk aol.com aol.de aol.fr aol.it aon.at arcor.de arcormail.de asia.com atlas.cz att.net
    autistici.org autograf.pl autorambler.ru azet.sk bbox.fr bell.net bellsouth.net biglobe.ne.jp bigmir.net
    bigpond.com bigpond.net.au bk.ru blu.it bluewin.ch blueyonder.co.uk bol.com.br bredband.net
    btinternet.com btopenworld.com burnermail.io byom.de cableone.net casema.nl cegetel.net centrum.cz
    centrum.sk centurylink.net centurytel.net charter.net cheerful.com chello.at citromail.hu clix.pt
    club-internet.fr cock.li cogeco.ca comcast.net comhem.se compuserve.com consultant.com countermail.com
    cox.net ctemplar.com daum.net dir.bg discard.email discardmail.com dispostable.com disroot.org
    docomo.ne.jp dodo.com.au dr.com duck.com earthlink.net eircom.net elisanet.fi email.com email.cz
    email.de emailondeck.com embarqmail.com engineer.com europe.com ewe.net ewetel.net excite.co.jp
    excite.com ezweb.ne.jp fakeinbox.com fastmail.com fastmail.fm fastmail.net fastmail.org fastwebnet.it
    firemail.de flash.net forthnet.gr foxmail.com free.fr freemail.hu freenet.de freeserve.co.uk
    frontier.com frontiernet.net games.com gazeta.pl getnada.com globo.com globomail.com gmail.com gmx.at
    gmx.biz gmx.ch gmx.co.uk gmx.com gmx.de gmx.es gmx.eu gmx.fr gmx.info gmx.it gmx.net gmx.org gmx.us
    googlemail.com grr.la guerrillamail.com guerrillamail.net guerrillamail.org hanmail.net hetnet.nl
    hey.com hispeed.ch home.nl hotmail.at hotmail.be hotmail.ca hotmail.ch hotmail.cl hotmail.co.il
    hotmail.co.in hotmail.co.jp hotmail.co.kr hotmail.co.nz hotmail.co.th hotmail.co.uk hotmail.co.za
    hotmail.com hotmail.com.ar hotmail.com.au hotmail.com.br hotmail.com.mx hotmail.com.tr hotmail.cz
    hotmail.de hotmail.dk hotmail.es hotmail.fi hotmail.fr hotmail.gr hotmail.hu hotmail.it hotmail.nl
    hotmail.no hotmail.se hotmail.sg hush.ai hush.com hushmail.com i.softbank.jp i.ua icloud.com ig.com.br
    iinet.net.au in.com in.gr iname.com inbox.com inbox.ru indamail.hu indiatimes.com inode.at interia.eu
    interia.pl internet.ru internode.on.net inwind.it iol.it jubii.dk juno.com kabelmail.de kakao.com
    keemail.me kolabnow.com kolumbus.fi korea.com kpnmail.nl kpnplanet.nl laposte.net lenta.ru libero.it
    list.ru live.at live.be live.ca live.ch live.cl live.cn live.co.uk live.co.za live.com live.com.ar
    live.com.au live.com.mx live.com.pt live.com.sg live.de live.dk live.fi live.fr live.ie live.in live.it
    live.jp live.nl live.no live.ru live.se liwest.at love.com luukku.com lycos.com lycos.de mac.com
    magenta.de mail.bg mail.com mail.de mail.dk mail.ru mail.telepac.pt mail.ua mailbox.org maildrop.cc
    mailfence.com mailinator.com mailnesia.com maktoob.com me.com meta.ua mindspring.com mintemail.com
    moakt.com mohmal.com movistar.es mozmail.com msn.com mweb.co.za mynet.com myrambler.ru myself.com
    mytemp.email myyahoo.com narod.ru nate.com naver.com netcabo.pt netcologne.de netease.com netscape.net
    netvision.net.il netzero.com netzero.net neuf.fr nifty.com noos.fr ntlworld.com numericable.fr o2.co.uk
    o2.pl o2mail.de o2online.de ocn.ne.jp oi.com.br onet.eu onet.pl online.de online.no onlinehome.de
    ono.com op.pl optimum.net optonline.net optusnet.com.au orange.fr orange.net osnanet.de otenet.gr
    outlook.at outlook.be outlook.cl outlook.co.id outlook.co.il outlook.co.th outlook.com outlook.com.ar
    outlook.com.au outlook.com.br outlook.com.gr outlook.com.tr outlook.com.vn outlook.cz outlook.de
    outlook.dk outlook.es outlook.fr outlook.hu outlook.ie outlook.in outlook.it outlook.jp outlook.kr
    outlook.lv outlook.my outlook.ph outlook.pt outlook.sa outlook.sg outlook.sk ozemail.com.au pacbell.net
    passport.com planet.nl plus.com plusnet.com pm.me pobox.sk poczta.fm poczta.onet.pl post.com post.cz
    post.sk poste.it posteo.at posteo.ch posteo.de posteo.eu posteo.net posteo.org privaterelay.appleid.com
    prodigy.net prodigy.net.mx proton.me protonmail.ch protonmail.com proximus.be q.com qq.com quicknet.nl
    r7.com rambler.ru rediffmail.com relay.firefox.com riseup.net ro.ru roadrunner.com rocketmail.com
    rogers.com rr.com runbox.com sapo.pt sbcglobal.net scarlet.be secure.mailbox.org sent.com seznam.cz
    sfr.fr sharklasers.com shaw.ca sify.com simplelogin.com sina.cn sina.com skiff.com sky.com skynet.be
    slingshot.co.nz so-net.ne.jp softbank.ne.jp sohu.com soverin.net spamgourmet.com spectrum.net spray.se
    startmail.com stofanet.dk suddenlink.net sunrise.ch suomi24.fi swbell.net swissonline.ch sympatico.ca
    systemli.org t-online.de t-online.hu talktalk.net tdcadsl.dk techie.com tele2.nl tele2.se telefonica.net
    telenet.be telia.com telkomsa.net telus.net temp-mail.org tempmail.com tempr.email terra.com
    terra.com.br terra.es throwawaymail.com tim.it tin.it tiscali.co.uk tiscali.it tlen.pl tom.com
    tpg.com.au trashmail.com trashmail.de trashmail.net ttmail.com tut.by tuta.com tuta.io tutamail.com
    tutanota.com tutanota.de twc.com ukr.net unitybox.de uol.com.br upcmail.nl usa.com utanet.at verizon.net
    versanet.de videotron.ca vip.126.com vip.163.com vip.qq.com vip.sina.com virgilio.it virgin.net
    virginmedia.com vodafone.de vodafonemail.de vodamail.co.za voila.fr volny.cz vp.pl walla.co.il walla.com
    wanadoo.fr web.de webmail.co.za wegwerfmail.de westnet.com.au windowslive.com windstream.net wo.cn
    wow.com wp.pl writeme.com xfinity.com xs4all.nl xtra.co.nz ya.ru yahoo.at yahoo.be yahoo.ca yahoo.ch
    yahoo.cn yahoo.co.id yahoo.co.il yahoo.co.in yahoo.co.jp yahoo.co.kr yahoo.co.nz yahoo.co.th yahoo.co.uk
    yahoo.co.za yahoo.com yahoo.com.ar yahoo.com.au yahoo.com.br yahoo.com.cn yahoo.com.co yahoo.com.hk
    yahoo.com.mx yahoo.com.my yahoo.com.ph yahoo.com.sg yahoo.com.tr yahoo.com.tw yahoo.com.vn yahoo.cz
    yahoo.de yahoo.dk yahoo.es yahoo.fi yahoo.fr yahoo.gr yahoo.hu yahoo.ie yahoo.in yahoo.it yahoo.nl
    yahoo.no yahoo.pl yahoo.pt yahoo.ro yahoo.se yandex.by yandex.com yandex.kz yandex.ru yandex.ua yeah.net
    ygm.com ymail.com yopmail.com yopmail.fr yopmail.net zen.co.uk ziggo.nl zipmail.com.br zoho.com
    zohomail.com zohomail.eu zohomail.in zonnet.nl zoznam.sk
  `
    .trim()
    .split(/\s+/),
);

/** @param domain in lower case and ASCII. Also what stands below one of them: its provider gives that away, too. */
export function isPublicMailDomain(domain: string): boolean {
  const labels = domain.split('.');
  return labels.some((_, first) => PUBLIC_DOMAINS.has(labels.slice(first).join('.')));
}
