// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/reserved_words.h"

namespace warpwright {
namespace {

QSet<QString> wordsOf(const char *text) {
    const QStringList words = QString::fromLatin1(text).split(QLatin1Char(' '));
    return {words.begin(), words.end()};
}

const char *const languageWords =
    "float double int bool long short char auto const new delete this class struct union enum "
    "template typename operator return for while if else do switch case default break public "
    "private signed unsigned goto static void and or not xor using namespace half vector exp log "
    "threadIdx blockIdx volatile alignas alignof sizeof catch try throw friend inline extern register "
    "explicit "
    "export mutable asm constexpr decltype noexcept nullptr true false typeid virtual protected dim3 min max "
    "abs "
    "floorf fmaxf fabsf expf exp2f logf log1pf sqrtf uint4";

// Parameters, counters and helper functions.
const char *const kernelWords =
    "row c sum maximum minimum sigmoid fastDivide fastSqrt first config stream cached step firstColumn "
    "timeStep stage turn scatterAdd scatterStore scatterMax scatterMin scatterMaxFloat scatterMinFloat "
    "oneTimeStep computeRows vec value unclampedRow unclamped wanted partials carry segment tile next "
    "more less firstVector clusterThread staged combine batch batches group distance lane warp values "
    "targetRow tileColumn tileRow position part parts running largest smallest product total inner from "
    "before other blocks block entry neededBlocks top power partMean count column columns rows most one "
    "device smCount check forward guard is result tap second scale key gridThreads end to launch at "
    "digamma fastSin sine fastCos cosine shifted i j some process isInBounds isThere near far bit "
    "candidate flipMask flipMaskOf isAtLeast misalignment storePartialVec vectors reversedBlock "
    "waitForPreviousKernel launchEarly thread now ahead begin later prefetch ask meet isFullVector "
    "element elements scanBlockVectors scanOverY storePartialVecReversed firstRow rowInBlock inputRow "
    "blocksPerSm orderedKey logAddExp logAddExpDouble logSumExp fastErf fastExp fastLog fastExpm1 "
    "expBelowMax expOfDecay fastTanh fastLog1p log1pExp sinSmallAngle isLargeAngle cosSmallAngle "
    "sinReduced reduceModPi convolution toHalf toFloat toBFloat16 pair pairBetween elementOf splat memcpy "
    "fastPow floorMod floorModInt sigmoidDouble inverseErf reduceOverY reduceBlock reduceCluster "
    "scanBlock syncCluster storeWarpPartial combineWarpPartials combineMoments blockPartials";

const char *const callWords =
    "device key plan plans found status one zero tile rows columns column width image images group "
    "channel job result sums packed places place batch last in out across strip segment filter filters "
    "from to tap phase shift left inside plane d w a b i firstRow firstColumn firstPlace lane mine ours "
    "top depth pack entry launch r j values factors staged inner outRow outColumn shared full empty odd "
    "firstBox secondBox firstMap secondMap thirdMap otherGiven otherNext others other rowOf inTile stage "
    "own piece given givenNext arrive multiply unpacked copyBox boxAt findTile waitFor expectBytes "
    "initBarrier meetInGroup beginProducts commitProducts waitForProducts describeMatrix sum processors k "
    "first second turn step map get1 get2 get3 get4 read1 read2 read3 read4 held1 held2 held3 held4 "
    "vector1 vector2 vector3 vector4 ofRow1 ofRow2 ofRow3 ofRow4 low high box number taken columnBox "
    "rowBox isColumn prefetch copyColumns tileAt describe firstSizes firstStrides secondSizes "
    "secondStrides apart read5 read6 read7 read8 read9 read10 read11 read12 mirrored nearestInside "
    "otherEnd neighbours isRow none filterBox pixelBox firstFilter chunk copyFilters copyPixels filterMap "
    "imageMap filterOf placeOf driverFunction describeFilters describeImage sizes strides lower upper "
    "down deep right below behind pack2 pack3 pack4 memory on of copy capture launches perDevice graph "
    "branches firstUnit rowAt columnAt gate unit nextRows nextColumns ask rounded square target start "
    "thread warp results held turned inPart isFar boxesAt inRound makeAnyway accumulate alignmentOf "
    "askColumns askRows bits copyBatchBox data emplace execute fetched find firstChannel firstPlane "
    "gather height line loadSquares loadTurned logitOf makePlan set side squares tapD tapH tapW "
    "weightOfTap fourthMap fifthMap sixthMap seventhMap eighthMap ninthMap tenthMap eleventhMap "
    "twelfthMap multiplyHalf otherResult multiply1 multiply2 multiply3 multiply4 multiply5 multiply6 "
    "multiply7 multiply8 captured branchStream streams launchGraph hasLayout firstPosition position "
    "positions timeStep";

const char *const scoreWords =
    "queries query keys keyTiles valueTiles memory bring nextTile next visit score scores weight "
    "largest most base shrink inverse other second parts high low some at block blockRow lastRow "
    "warpLastRow firstKey lastKey attention queryAt isThere n t part allowed shared keyBox valueBox "
    "multiply multiplyTurned boxAt turnedBoxAt placeOf pairOf beginProducts commitProducts "
    "waitForProducts weights step place bring i";

const char *const orderWords =
    "entries entry exchange theirs keyOf entryOf valueOf lastEntry shuffled withGaps bringInOrder meetOwn "
    "meetOther sortRow ofBlock isInFront isTurned isMinusZero isBefore run mask bits shared c value lane low "
    "wanted keepOne mine theirs near far";

} // namespace

const QSet<QString> &reservedWords() {
    static const QSet<QString> words = wordsOf(languageWords) + wordsOf(kernelWords);
    return words;
}

const QSet<QString> &structuredOpWords() {
    static const QSet<QString> words = wordsOf(callWords);
    return words;
}

const QSet<QString> &attentionWords() {
    static const QSet<QString> words = wordsOf(scoreWords);
    return words;
}

const QSet<QString> &sortWords() {
    static const QSet<QString> words = wordsOf(orderWords);
    return words;
}

} // namespace warpwright
