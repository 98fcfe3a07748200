<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>ColumnTable</name>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Columns of the table</source>
        <translation>表格的列</translation>
    </message>
</context>
<context>
    <name>ColumnTableModel</name>
    <message>
        <source>Column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>取值</translation>
    </message>
</context>
<context>
    <name>DataStep</name>
    <message numerus="yes">
        <source>%n broken files are left out</source>
        <translation>
            <numerusform>%n 个损坏的文件已略过</numerusform>
        </translation>
    </message>
    <message>
        <source>Can&apos;t be used</source>
        <translation>无法使用</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Choose a table</source>
        <translation>选择表格</translation>
    </message>
    <message>
        <source>Choose the folder of class folders</source>
        <translation>选择包含各类别子文件夹的文件夹</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Classes</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Counting files…</source>
        <translation>正在统计文件…</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Go on without data: the script can still be tried with --smoke</source>
        <translation>没有数据也可继续：脚本仍可用 --smoke 试跑</translation>
    </message>
    <message>
        <source>How the data are used</source>
        <translation>数据如何使用</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>重新查看</translation>
    </message>
    <message>
        <source>Looked at</source>
        <translation>已查看</translation>
    </message>
    <message>
        <source>Looking</source>
        <translation>查看中</translation>
    </message>
    <message>
        <source>Made-up data</source>
        <translation>模拟数据</translation>
    </message>
    <message>
        <source>No data chosen. The script is written for made-up data and takes yours with --data.</source>
        <translation>未选择数据。脚本按模拟数据编写，可用 --data 指定您的数据。</translation>
    </message>
    <message>
        <source>Nothing is deleted; the script leaves them out and names them.</source>
        <translation>不会删除任何文件；脚本会略过并列出它们。</translation>
    </message>
    <message>
        <source>Path of the data</source>
        <translation>数据路径</translation>
    </message>
    <message>
        <source>Picture size</source>
        <translation>图片尺寸</translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>Pictures in each class</source>
        <translation>各类别图片数</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Size on disk</source>
        <translation>磁盘占用</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Tables (*.csv *.tsv *.txt *.parquet);;All files (*)</source>
        <translation>表格 (*.csv *.tsv *.txt *.parquet);;所有文件 (*)</translation>
    </message>
    <message>
        <source>estimated</source>
        <translation>估计</translation>
    </message>
    <message>
        <source>median, colour</source>
        <translation>中位数，彩色</translation>
    </message>
    <message>
        <source>median, grey</source>
        <translation>中位数，灰度</translation>
    </message>
    <message>
        <source>one sub-folder each</source>
        <translation>每类一个子文件夹</translation>
    </message>
</context>
<context>
    <name>EffectPanel</name>
    <message>
        <source>GiB; how much is usable is not known</source>
        <translation>GiB；可用量未知</translation>
    </message>
    <message>
        <source>Memory of the machine</source>
        <translation>机器内存</translation>
    </message>
    <message>
        <source>Memory on each GPU</source>
        <translation>每块 GPU 的显存</translation>
    </message>
    <message>
        <source>Memory on each {name}</source>
        <translation>每块 {name} 的显存</translation>
    </message>
    <message>
        <source>One epoch</source>
        <translation>每轮时间</translation>
    </message>
    <message>
        <source>One step</source>
        <translation>每步时间</translation>
    </message>
    <message>
        <source>One training</source>
        <translation>训练时间</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Would change the plan</source>
        <translation>可改变计划的因素</translation>
    </message>
    <message>
        <source>not known for this card; a test run measures it</source>
        <translation>此显卡未知；试运行会给出实测值</translation>
    </message>
    <message>
        <source>of {usable} usable, predicted for one training step</source>
        <translation>/ 可用 {usable}，单个训练步的预测值</translation>
    </message>
    <message>
        <source>{low} – {high}, nine times in ten. A test run measures it.</source>
        <translation>{low} – {high}（九成把握）。试运行会给出实测值。</translation>
    </message>
</context>
<context>
    <name>FormStep</name>
    <message>
        <source>Back to recommended</source>
        <translation>恢复推荐值</translation>
    </message>
    <message>
        <source>Takes every answer of this step back to the recommended one</source>
        <translation>将此步骤的所有选项恢复为推荐值</translation>
    </message>
</context>
<context>
    <name>HardwareStep</name>
    <message>
        <source>All usable GPUs</source>
        <translation>全部可用 GPU</translation>
    </message>
    <message>
        <source>Also fixed with several GPUs: XLA off, one step per call, accumulation inside the training step, synchronized BatchNorm in our own models.</source>
        <translation>使用多块 GPU 时还会固定：关闭 XLA、每次调用一步、在训练步内累积梯度、自建模型使用同步 BatchNorm。</translation>
    </message>
    <message>
        <source>Each card holds the whole model, the batch is shared</source>
        <translation>每块显卡保存完整模型，共同分担批量</translation>
    </message>
    <message>
        <source>GPUConfig chooses</source>
        <translation>由 GPUConfig 选择</translation>
    </message>
    <message>
        <source>MIG is on: one slice can be used</source>
        <translation>已启用 MIG：可使用一个实例</translation>
    </message>
    <message>
        <source>MirroredStrategy, one process</source>
        <translation>MirroredStrategy，单进程</translation>
    </message>
    <message>
        <source>No GPU here. The script will run on the processor, slowly.</source>
        <translation>这里没有 GPU。脚本将在处理器上运行，速度较慢。</translation>
    </message>
    <message>
        <source>No distribution code in the script</source>
        <translation>脚本中不含分布式代码</translation>
    </message>
    <message>
        <source>Not usable</source>
        <translation>不可用</translation>
    </message>
    <message>
        <source>Not used</source>
        <translation>不使用</translation>
    </message>
    <message>
        <source>One GPU</source>
        <translation>单块 GPU</translation>
    </message>
    <message>
        <source>Planned for a recorded machine; the script names GPUs by position.</source>
        <translation>为已录制的机器规划；脚本按位置指定 GPU。</translation>
    </message>
    <message>
        <source>Recommended</source>
        <translation>推荐</translation>
    </message>
    <message>
        <source>Simplest</source>
        <translation>最简单</translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>To plan for another machine, choose it at the top of the left bar.</source>
        <translation>要为另一台机器规划，请在左栏顶部选择它。</translation>
    </message>
    <message>
        <source>What is fastest and still fits</source>
        <translation>速度最快且装得下</translation>
    </message>
    <message>
        <source>capability {cc}</source>
        <translation>计算能力 {cc}</translation>
    </message>
    <message>
        <source>named by UUID in the script, so a changed slot order does no harm</source>
        <translation>脚本中按 UUID 指定，插槽顺序变化也不受影响</translation>
    </message>
    <message>
        <source>{memory} in use now</source>
        <translation>当前已用 {memory}</translation>
    </message>
</context>
<context>
    <name>PreviewStrip</name>
    <message>
        <source>Some pictures of your data</source>
        <translation>您的数据中的部分图片</translation>
    </message>
</context>
<context>
    <name>QuestionField</name>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Automatic: {value}</source>
        <translation>自动：{value}</translation>
    </message>
</context>
<context>
    <name>QuestionForm</name>
    <message>
        <source>More settings</source>
        <translation>更多设置</translation>
    </message>
</context>
<context>
    <name>ReviewStep</name>
    <message>
        <source>Change this</source>
        <translation>修改</translation>
    </message>
    <message>
        <source>Every choice and its reason</source>
        <translation>每项选择及其理由</translation>
    </message>
</context>
<context>
    <name>ScriptStep</name>
    <message numerus="yes">
        <source>%n lines</source>
        <translation>
            <numerusform>%n 行</numerusform>
        </translation>
    </message>
    <message>
        <source>Change in step {n}</source>
        <translation>在第 {n} 步修改</translation>
    </message>
    <message>
        <source>Choose an empty folder for the script</source>
        <translation>为脚本选择一个空文件夹</translation>
    </message>
    <message>
        <source>Compiles, checked</source>
        <translation>可编译，已检查</translation>
    </message>
    <message>
        <source>Files of the script</source>
        <translation>脚本文件</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Find in the script</source>
        <translation>在脚本中查找</translation>
    </message>
    <message>
        <source>Saved in {path}</source>
        <translation>已保存到 {path}</translation>
    </message>
    <message>
        <source>The same answers give the same bytes.</source>
        <translation>相同的选项生成完全相同的文件。</translation>
    </message>
    <message>
        <source>Writing…</source>
        <translation>正在写入…</translation>
    </message>
    <message>
        <source>line {n}</source>
        <translation>第 {n} 行</translation>
    </message>
</context>
<context>
    <name>TaskStep</name>
    <message>
        <source>Choose what the model should learn. Each step explains what it decides, and every answer can be changed later.</source>
        <translation>选择模型要学习的内容。每一步都会说明其作用，所有选项之后都可以修改。</translation>
    </message>
    <message>
        <source>Fits this machine</source>
        <translation>适合本机</translation>
    </message>
    <message>
        <source>May not fit</source>
        <translation>可能装不下</translation>
    </message>
    <message>
        <source>Memory not known</source>
        <translation>显存未知</translation>
    </message>
    <message>
        <source>Nothing chosen yet</source>
        <translation>尚未选择</translation>
    </message>
    <message>
        <source>Too big</source>
        <translation>太大</translation>
    </message>
    <message>
        <source>You get</source>
        <translation>您将得到</translation>
    </message>
    <message>
        <source>You need</source>
        <translation>您需要</translation>
    </message>
    <message>
        <source>about {n}</source>
        <translation>约 {n}</translation>
    </message>
</context>
<context>
    <name>TestRunPanel</name>
    <message>
        <source>A test run proves that the script starts, trains, saves and reads back, and measures memory and time. It runs in {python}.</source>
        <translation>试运行会验证脚本能启动、训练、保存和读回，并实测显存与时间。运行环境：{python}。</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>Measured values stand here after a test run on your data.</source>
        <translation>在您的数据上试运行后，这里会显示实测值。</translation>
    </message>
    <message>
        <source>Outside</source>
        <translation>超出范围</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Quantity</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Runs in {python}</source>
        <translation>运行于 {python}</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Test run</source>
        <translation>试运行</translation>
    </message>
    <message>
        <source>The chosen Python has no TensorFlow. Choose another one on the page Overview.</source>
        <translation>所选 Python 没有安装 TensorFlow。请在“概览”页面选择其他环境。</translation>
    </message>
    <message>
        <source>This script is for a recorded machine; run it there. Choose this machine to try it here.</source>
        <translation>此脚本针对已录制的机器，请在那台机器上运行。要在此试运行，请选择本机。</translation>
    </message>
    <message>
        <source>Try on made-up data</source>
        <translation>用模拟数据试运行</translation>
    </message>
    <message>
        <source>Try on my data</source>
        <translation>用我的数据试运行</translation>
    </message>
    <message>
        <source>Within</source>
        <translation>在范围内</translation>
    </message>
</context>
</TS>
